//! Everything but the modular engine, on what is left of one contract: engines work side by side, first evidence wins.

use super::board::{Board, Doubt, Found};
use super::confirm::{Confirmer, Judgement};
use super::evidence::{Attempt, By, Invariant};
use super::foundry;
use super::progress::Display;
use super::told::Told;
use hornet_encoder::{CheckKey, Options, Patience, Progress};
use hornet_evm::replay::Executed;
use hornet_horn::{Proof, Settings, Watch};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::{SourceMap, Span};
use hornet_ir::trace::Trace;
use rustc_hash::FxHashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Terms are followed recursively in places.
const STACK_BYTES: usize = 256 << 20;
/// How often somebody looks whether the work should end.
const GLANCE: Duration = Duration::from_millis(20);

/// What one thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// Looks for runs that break something.
    Search,
    /// Looks for proofs, in the order in which they are likely.
    Proofs,
    /// Only Horn clauses.
    Horn,
}

/// Easy proofs are found in this time; then others have their turn.
const FIRST_SLICE: Duration = Duration::from_secs(1);
const SECOND_SLICE: Duration = Duration::from_secs(3);
/// Inferring invariants gets this part of the time that is left after that.
const SHARE_OF_INFERENCE: f64 = 0.4;

/// Checks that are answered, if not as well as could be, and until when better answers are waited for.
pub struct Nicety {
    pub keys: Vec<CheckKey>,
    pub until: Instant,
}

/// The undecided checks of a contract, and what may be used to decide them.
pub struct Investigation<'a, 'p> {
    pub program: &'a Program,
    /// The same, as far as the contract can run or meet it.
    pub seen: &'a Program,
    pub contract: ContractId,
    pub settings: Settings,
    pub options: &'a Options,
    /// All checks of the contract, also those that are decided.
    pub stated: Vec<CheckKey>,
    /// Where assertions are known to hold.
    pub known: FxHashSet<Span>,
    /// For each place with an assertion that is not known to hold, the checks that would show that it does.
    pub places: Vec<(Span, Vec<CheckKey>)>,
    pub board: Board,
    pub nicety: Nicety,
    pub sources: &'a SourceMap,
    /// Where tests go, if they are wanted.
    pub test_out: Option<&'a Path>,
    pub confirmer: &'a Confirmer<'p>,
    pub progress: &'a Display,
}

impl Investigation<'_, '_> {
    /// Runs the engines until everything is decided or the time is up.
    pub fn run(&self, lines: &[Line]) {
        std::thread::scope(|scope| {
            // Closed when the work is over, however it ends.
            let (working, over) = mpsc::channel::<()>();
            scope.spawn(move || self.watch(&over));
            let start = |line: Line| {
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                thread.spawn_scoped(scope, move || self.work(line)).ok()
            };
            let running: Vec<_> = lines.iter().map(|line| start(*line)).collect();
            for thread in running.into_iter().flatten() {
                // Whatever went wrong inside is on the board.
                let _ = thread.join();
            }
            drop(working);
        });
    }

    fn watch(&self, over: &mpsc::Receiver<()>) {
        while over.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            self.progress.left(self.board.open().len());
            if self.progress.cancelled() || self.is_good_enough() {
                self.board.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Only what has an answer is left, and was looked at for long enough.
    fn is_good_enough(&self) -> bool {
        let Nicety { keys, until } = &self.nicety;
        Instant::now() >= *until && self.board.open().iter().all(|key| keys.contains(key))
    }

    fn work(&self, line: Line) {
        let until = self.settings.deadline;
        match line {
            Line::Search => self.search(),
            Line::Horn => self.horn(until),
            Line::Proofs => self.prove(until),
        }
    }

    /// Short slices first: most proofs are easy for one of the two ways.
    fn prove(&self, until: Instant) {
        let slice = |time: Duration| until.min(Instant::now() + time);
        self.horn(slice(FIRST_SLICE));
        let again = self.infer(slice(SECOND_SLICE), Patience::SHORT);
        self.horn(slice(SECOND_SLICE));
        if let Some(patience) = again {
            let left = until.saturating_duration_since(Instant::now());
            self.infer(slice(left.mul_f64(SHARE_OF_INFERENCE)), patience);
        }
        self.horn(until);
    }

    /// Each run that is found is tried on the machine at once.
    fn search(&self) {
        let wanted = self.board.open();
        self.timed(By::Bounded, &wanted, || {
            let tell = &mut |key: &CheckKey, trace: Trace| self.judge(key, &trace);
            let Investigation { seen, contract, settings, board, .. } = self;
            hornet_horn::search(seen, *contract, &wanted, settings, &board.stop, tell);
        });
    }

    /// Whether that was enough for this check.
    fn judge(&self, key: &CheckKey, trace: &Trace) -> bool {
        let (trace, judgement) = self.confirmer.judge_shortest(trace);
        let trace = &trace;
        let told = |executed: Option<&Executed>| {
            let test = self.test_out.map(|folder| foundry::test(self.program, self.sources, trace, folder));
            Told { test, ..Told::new(self.program, self.sources, trace, executed) }
        };
        let (told, unconfirmed) = match judgement {
            Judgement::Fails(executed) => (told(Some(&executed)), None),
            Judgement::OutOfSight(executed, why) => (told(Some(&executed)), Some(why)),
            Judgement::Disagrees(executed, what) => {
                let why = format!("with {} on the EVM, {what}", executed.compiler);
                let doubt = Doubt { told: told(Some(&executed)), why, disproved: true };
                return !self.board.doubted(key, &doubt);
            }
            Judgement::Impossible(why) => {
                let why = format!("it could not be run: {why}");
                return !self.board.doubted(key, &Doubt { told: told(None), why, disproved: false });
            }
        };
        self.board.violated(By::Bounded, key, &Found { told, unconfirmed });
        true
    }

    /// Once more whenever assertions turned out to hold: others may rest on them.
    fn horn(&self, until: Instant) {
        let settings = Settings { deadline: until, ..self.settings.clone() };
        loop {
            let known = self.known();
            // Clauses that admit a failing run will do so again.
            let wanted = self.board.not_refuted(known.len());
            self.timed(By::Horn, &wanted, || {
                let tell = &mut |proof: Proof| {
                    let all = proof.invariants.iter();
                    let invariants: Vec<_> = all.map(|i| Invariant::of_clauses(self.program, i)).collect();
                    self.board.proved(By::Horn, &proof.checks, &invariants);
                    self.board.certified(proof.certificate);
                };
                let Investigation { seen, contract, stated, board, .. } = self;
                let matters = |key: &CheckKey| board.is_open(key);
                let watch = Watch { stop: &board.stop, matters: &matters };
                let open =
                    hornet_horn::prove(seen, *contract, &wanted, stated, &known, &settings, &watch, tell);
                for (key, why) in open {
                    board.not_proved(&key, &why, known.len());
                }
            });
            if self.known().len() == known.len() || self.is_over() || Instant::now() >= until {
                return;
            }
        }
    }

    /// Where assertions are known to hold by now.
    fn known(&self) -> FxHashSet<Span> {
        let holds = |keys: &[CheckKey]| keys.iter().all(|key| self.board.is_proved(key));
        let news = self.places.iter().filter(|(_, keys)| holds(keys)).map(|(span, _)| *span);
        self.known.iter().copied().chain(news).collect()
    }

    /// With what patience it is worth to try again.
    fn infer(&self, until: Instant, patience: Patience) -> Option<Patience> {
        let wanted = self.board.open();
        let mut impatient = false;
        self.timed(By::Inference, &wanted, || {
            let Investigation { seen, contract, options, board, .. } = self;
            let found =
                hornet_encoder::infer(seen, *contract, &wanted, options, until, patience, &board.stop);
            impatient = found.impatient;
            for proof in &found.proved {
                let rests_on = proof.invariants.iter().filter_map(|i| found.invariants.get(*i));
                let invariants: Vec<Invariant> = rests_on.map(Invariant::inferred).collect();
                board.proved(By::Inference, std::slice::from_ref(&proof.check), &invariants);
            }
        });
        match Instant::now() < until {
            false => Some(patience),
            true => impatient.then_some(Patience::LONG),
        }
    }

    fn is_over(&self) -> bool {
        self.board.stop.load(Ordering::Relaxed) || Instant::now() >= self.settings.deadline
    }

    /// An engine that goes wrong answers nothing, and the others go on.
    fn timed(&self, by: By, keys: &[CheckKey], work: impl FnOnce()) {
        if keys.is_empty() || self.is_over() {
            return;
        }
        let began = Instant::now();
        let broken = catch_unwind(AssertUnwindSafe(work)).is_err();
        self.board.attempted(keys, &Attempt { by, time: began.elapsed(), broken });
    }
}

/// Which checks show that an assertion holds wherever it is run, by its place.
pub fn assertions<'k>(keys: impl Iterator<Item = &'k CheckKey>) -> Vec<(Span, Vec<CheckKey>)> {
    let mut places: Vec<(Span, Vec<CheckKey>)> = Vec::new();
    for key in keys.filter(|key| key.kind == ObligationKind::Assertion) {
        match places.iter_mut().find(|(span, _)| *span == key.span) {
            Some((_, keys)) => keys.push(key.clone()),
            None => places.push((key.span, vec![key.clone()])),
        }
    }
    places
}
