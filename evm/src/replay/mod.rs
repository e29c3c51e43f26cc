//! Counterexamples on the real machine: a trace is run with the contract's compiled code, and the failure that it
//! promises is looked for at its place in the source.

mod claim;
mod judge;
mod meter;
mod neutral;
mod perform;
mod play;
pub mod puppet;
mod recorder;
mod rehearse;
mod script;
mod silent;
mod spans;
mod stage;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::{FileId, SourceMap, Span};
use hornet_ir::trace::Trace;

use crate::compiler::{Arithmetic, Compiler, Request};
use crate::{Address, U256};
use claim::Claimed;
use judge::{Finding, Judge, panic_code};
pub use judge::{KINDS_OF_INVALID, kinds_of_payload};
pub use neutral::neutralised;
use perform::{Performance, Performed};
use play::Play;
use recorder::Mishap;
use silent::Silent;
use spans::Spans;
use stage::Stage;

/// What came of a trace on the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replay {
    /// The failure happens.
    Confirmed(Executed),
    /// The machine runs as the interpreter does, and only the interpreter can see the failure; why that is so.
    Unconfirmed { executed: Executed, why: String },
    /// It does not; what happens instead, for people.
    Disagrees { executed: Executed, what: String },
    /// The machine cannot tell, and why.
    Impossible(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executed {
    /// As far as the run got. A failure may come earlier than the trace says.
    pub steps: Vec<StepResult>,
    /// For people: `solc 0.8.37`.
    pub compiler: String,
    /// Assertions that would have stopped the run, in the copy of the source that was run.
    pub neutralised: Vec<Span>,
    /// How the failure was recognised, if it was.
    pub evidence: Option<Evidence>,
    /// Calls that others answered with zeros because the trace does not say what they answer.
    pub unlisted: usize,
}

/// How a failure was recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The code of that place failed, as the compiler's source map tells.
    Place,
    /// The code failed in a way that is possible at that place only.
    OnlyCandidate,
    /// The annotation is false in the state of the machine.
    Claim,
    /// The code failed in that way, and the interpreter, which agrees on everything else, saw it at that place.
    Rehearsal,
}

/// Slots of the contract that are not zero.
pub type Slots = BTreeMap<U256, U256>;

/// The contract when a call from inside a transaction begins, and when it has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glimpse {
    pub begin: Slots,
    pub end: Slots,
}

/// A transaction that was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepResult {
    pub succeeded: bool,
    /// Returned, or reverted with; for a deployment that succeeds, the deployed code.
    pub output: Vec<u8>,
    /// The contract's slots after it that are not zero, if they are where solc has them.
    pub storage: Option<Slots>,
    /// The contract's ether after it.
    pub balance: U256,
    /// How much gas it came with, where that matters.
    pub gas: Option<u64>,
    /// Calls from inside it, by their place among its calls, each before those from inside it; it is 0 itself.
    pub inside: BTreeMap<usize, Glimpse>,
    /// In which of these calls the code fails as the trace says, and the contract at that moment.
    pub failed: Option<(usize, Slots)>,
}

/// Replays traces of one program. Code is compiled once and shared by threads.
pub struct Replayer<'p> {
    program: &'p Program,
    sources: &'p SourceMap,
    remappings: Vec<String>,
    /// What is compiled: everything, unless somebody knows what belongs together.
    files: Option<BTreeSet<FileId>>,
    via_ir: bool,
    /// Asked in this order; the first that compiles the sources is used.
    compilers: Vec<Arc<dyn Compiler>>,
    spans: Spans,
    /// By the assertions that are neutralised in it.
    stages: Mutex<HashMap<BTreeSet<Span>, Staged>>,
}

/// Compiled, or why not.
type Staged = Result<Arc<Stage>, String>;

/// What a run shows.
enum Verdict {
    Fails(Evidence),
    /// Assertions that are not meant fail and may stop the run before it fails as expected.
    Stopped(BTreeSet<Span>),
    Otherwise(String),
    /// An annotation could not be looked at, and why.
    OutOfSight(String),
    /// The code failed as expected, perhaps somewhere else.
    Somewhere,
}

/// What runs of the same trace differ in.
struct Setting {
    /// Those who have code that the trace writes.
    puppets: BTreeSet<Address>,
    neutralised: BTreeSet<Span>,
}

/// What to do after a run.
enum Next {
    Over(Replay),
    /// Run again without these assertions.
    Without(BTreeSet<Span>),
    /// Run again with somebody at these addresses: whom the contract wants to talk to is there, even if the trace does
    /// not say what they answer.
    With(BTreeSet<Address>),
}

impl<'p> Replayer<'p> {
    pub fn new(
        program: &'p Program,
        sources: &'p SourceMap,
        remappings: Vec<String>,
        compilers: Vec<Arc<dyn Compiler>>,
    ) -> Replayer<'p> {
        let spans = Spans::new(sources);
        let stages = Mutex::default();
        Replayer { program, sources, remappings, files: None, via_ir: false, compilers, spans, stages }
    }

    /// Traces are about contracts of these files, which import no others.
    pub fn of_files(self, files: impl IntoIterator<Item = FileId>) -> Replayer<'p> {
        Replayer { files: Some(files.into_iter().collect()), ..self }
    }

    /// Whether compilers are to make code by way of Yul, as the program was lowered for.
    pub fn via_ir(self, via_ir: bool) -> Replayer<'p> {
        Replayer { via_ir, ..self }
    }

    pub fn replay(&self, trace: &Trace) -> Replay {
        self.try_replay(trace).unwrap_or_else(Replay::Impossible)
    }

    fn try_replay(&self, trace: &Trace) -> Result<Replay, String> {
        let play = Play::new(self.program, &self.spans, trace)?;
        let mut setting = Setting { puppets: play.puppets(), neutralised: BTreeSet::new() };
        loop {
            match self.run(trace, &play, &setting)? {
                Next::Over(replay) => return Ok(replay),
                Next::Without(spans) if spans.is_subset(&setting.neutralised) => {
                    return Err("an assertion fails although it is neutralised".to_owned());
                }
                Next::Without(spans) => setting.neutralised.extend(spans),
                Next::With(strangers) => setting.puppets.extend(strangers),
            }
        }
    }

    /// One run of the whole trace, and what is to be done after it.
    fn run(&self, trace: &Trace, play: &Play, setting: &Setting) -> Result<Next, String> {
        let (program, failure, neutralised) = (self.program, &trace.failure, &setting.neutralised);
        let place = self.spans.place(failure.span);
        let silent = place.and_then(|place| Silent::find(program, failure.kind, failure.span, place));
        let stage = self.stage(neutralised)?;
        let mut run =
            Performance::new(program, trace.contract, &stage, play, &setting.puppets, silent.as_ref())?;
        let judge = Judge { program, spans: &self.spans, neutralised };
        let verdict = self.watch(trace, &judge, &mut run)?;
        let executed = |evidence| Executed {
            steps: run.steps.iter().map(|step| step.result.clone()).collect(),
            compiler: stage.compiler.clone(),
            neutralised: neutralised.iter().copied().collect(),
            evidence,
            unlisted: run.unlisted,
        };
        let confirmed = |evidence| Next::Over(Replay::Confirmed(executed(Some(evidence))));
        let rehearsed = || rehearse::fails(program, trace, &run);
        Ok(match verdict {
            Verdict::Fails(evidence) => confirmed(evidence),
            Verdict::Stopped(spans) => Next::Without(spans),
            Verdict::Otherwise(_) if !run.strangers.is_empty() => Next::With(run.strangers.clone()),
            Verdict::Otherwise(what) => Next::Over(Replay::Disagrees { executed: executed(None), what }),
            Verdict::OutOfSight(why) if rehearsed() => {
                Next::Over(Replay::Unconfirmed { executed: executed(None), why })
            }
            Verdict::OutOfSight(why) => return Err(why),
            Verdict::Somewhere if rehearsed() => confirmed(Evidence::Rehearsal),
            Verdict::Somewhere => {
                // What fails when all others are silent is the one that is meant.
                let is_assertion = failure.kind == ObligationKind::Assertion;
                let others: BTreeSet<Span> =
                    judge.assertions().filter(|span| is_assertion && *span != failure.span).collect();
                if others.is_empty() {
                    return Err("the compiler does not say which of several places fails".to_owned());
                }
                Next::Without(others)
            }
        })
    }

    /// Runs step after step until the failure is seen or something else goes wrong.
    fn watch(&self, trace: &Trace, judge: &Judge<'_>, run: &mut Performance<'_>) -> Result<Verdict, String> {
        let mut others = BTreeSet::new();
        let mut perhaps = false;
        while let Some(step) = run.next()? {
            let ended = !step.result.succeeded;
            for event in step.events.clone() {
                let itself = match judge.find(&event, &trace.failure) {
                    Finding::Itself => Evidence::Place,
                    Finding::OnlyCandidate => Evidence::OnlyCandidate,
                    Finding::Perhaps => {
                        perhaps = true;
                        continue;
                    }
                    Finding::OtherAssertion(span) => {
                        others.insert(span);
                        continue;
                    }
                    Finding::Unrelated => continue,
                };
                run.fails(&event);
                return Ok(Verdict::Fails(itself));
            }
            if ended && run.steps.len() < trace.steps.len() {
                break;
            }
        }
        if run.steps.len() == trace.steps.len() && is_claim(trace.failure.kind) {
            match claim::decide(self.program, &self.spans, trace, run) {
                Claimed::Broken => return Ok(Verdict::Fails(Evidence::Claim)),
                Claimed::Holds if others.is_empty() => {
                    return Ok(Verdict::Otherwise("the annotation holds after the last step".to_owned()));
                }
                Claimed::Unknown(why) if others.is_empty() => return Ok(Verdict::OutOfSight(why)),
                Claimed::Holds | Claimed::Unknown(_) => {}
            }
        }
        if !others.is_empty() {
            return Ok(Verdict::Stopped(others));
        }
        if perhaps {
            return Ok(Verdict::Somewhere);
        }
        Ok(Verdict::Otherwise(self.describe(trace, run)))
    }

    /// What the last step that was run did, for people.
    fn describe(&self, trace: &Trace, run: &Performance<'_>) -> String {
        let Some(step) = run.steps.last() else { return "the trace has no steps".to_owned() };
        let number = run.steps.len();
        let which =
            if number == trace.steps.len() { "the last step".into() } else { format!("step {number}") };
        if step.result.succeeded {
            return format!("{which} succeeds and nothing fails at the expected place");
        }
        format!("{which} {}", self.end_of(step))
    }

    fn end_of(&self, step: &Performed) -> String {
        let payload = &step.result.output;
        let place = step.events.iter().rev().find_map(|event| match &event.mishap {
            Mishap::Revert(data) if data == payload => event.place.as_ref(),
            Mishap::Invalid if step.halt.is_some() => event.place.as_ref(),
            _ => None,
        });
        let at = place.map_or_else(String::new, |p| format!(" at {}", spans::line(self.sources, p)));
        match (&step.halt, panic_code(payload)) {
            (Some(halt), _) => format!("stops ({halt}){at}"),
            (None, Some(code)) => format!("reverts with Panic(0x{code:02x}){at}"),
            (None, None) => match error_text(payload) {
                Some(text) => format!("reverts with \"{text}\"{at}"),
                None if payload.is_empty() => format!("reverts without data{at}"),
                None => format!("reverts with {} bytes{at}", payload.len()),
            },
        }
    }

    /// The code of the program without some assertions.
    fn stage(&self, neutralised: &BTreeSet<Span>) -> Staged {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stage) = stages.get(neutralised) {
            return stage.clone();
        }
        let stage = self.compile(neutralised);
        stages.insert(neutralised.clone(), stage.clone());
        stage
    }

    fn compile(&self, neutralised: &BTreeSet<Span>) -> Staged {
        let mut sources = neutral::neutralised(self.sources, neutralised)
            .ok_or("an assertion that fails earlier cannot be taken out")?;
        let is_ours = |file: FileId| self.files.as_ref().is_none_or(|files| files.contains(&file));
        for (_, other) in self.sources.files().filter(|(id, _)| !is_ours(*id)) {
            sources.remove(&other.name);
        }
        let remappings = self.remappings.clone();
        let arithmetic = arithmetic_of(self.program, is_ours);
        let request = Request { sources, remappings, via_ir: self.via_ir, arithmetic };
        let mut refused = "there is no compiler".to_owned();
        for compiler in &self.compilers {
            let compiled = compiler.compile(&request);
            match compiled.and_then(|code| Stage::new(self.program, &code, compiler.keeps_layout())) {
                Ok(stage) => return Ok(Arc::new(stage)),
                Err(error) => refused = error.to_string(),
            }
        }
        Err(refused)
    }
}

/// Which language some files were read in, as far as it shows.
pub fn arithmetic_of(program: &Program, files: impl Fn(FileId) -> bool) -> Option<Arithmetic> {
    use ObligationKind::{Overflow, Underflow};
    let of_files = program.obligations.iter().filter(|o| files(o.span.file));
    let mut checks = of_files.filter(|o| matches!(o.kind, Overflow | Underflow));
    checks.next().map(|o| if o.silent { Arithmetic::Wrapping } else { Arithmetic::Checked })
}

/// The text of `Error(string)`.
fn error_text(payload: &[u8]) -> Option<String> {
    let data = payload.strip_prefix(&[0x08, 0xc3, 0x79, 0xa0])?;
    let length = usize::try_from(U256::from_be_slice(data.get(32..64)?)).ok()?;
    let text = data.get(64..)?.get(..length)?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// Whether a failure is a false annotation rather than something that the code does.
fn is_claim(kind: ObligationKind) -> bool {
    use ObligationKind as K;
    match kind {
        K::Assertion
        | K::Overflow
        | K::Underflow
        | K::DivisionByZero
        | K::OutOfBounds
        | K::EmptyPop
        | K::EnumConversion
        | K::InsufficientBalance => false,
        K::Invariant
        | K::LoopInvariant
        | K::Precondition
        | K::Postcondition
        | K::Modifies
        | K::Emits
        | K::EventPrecondition
        | K::EventPostcondition
        | K::Succeeds
        | K::Reverts => true,
    }
}
