//! Upper bounds on gas that no run of the bytecode exceeds.
//!
//! A function is run on the bytecode with words as terms (`term`) over what is given from outside. Every way is
//! followed (`explore`); every instruction costs what it costs at most (`schedule`, `storage`, `calls`). Where
//! ways are too many they are joined (`join`, `merge`). Loops are run once from a state that stands for all rounds
//! (`loops`), and something that shrinks in each of them says how many there are (`trips`). Whatever is not
//! understood makes the bound larger, or takes it away; nothing makes it smaller.

mod abi;
mod alias;
mod bound;
mod calldata;
mod calls;
mod code;
mod cost;
mod explore;
mod facts;
mod formula;
mod given;
mod join;
mod loops;
mod memory;
mod merge;
mod name;
mod opcode;
mod poly;
mod report;
mod schedule;
mod state;
mod step;
mod storage;
mod term;
mod trips;
mod upper;
mod wide;
mod word;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hornet_evm::U256;
use hornet_evm::machine::Fork;
use rayon::prelude::*;

pub use abi::{Entry, Function, Input, StateVariable, Subject};
pub use bound::{Bound, Parameter, ParameterKind};
pub use formula::{Formula, Product};
pub use given::Given;
pub use report::{Blame, Call, CallKind, Loop, Reason};

use code::Code;
use cost::{Cases, Cost, Outcome};
use explore::{Abort, Care, Explorer};
use facts::Facts;
use name::Names;
use schedule::Schedule;
use state::State;
use step::Machine;
use term::{Env, Term, Terms};
use word::Op;

use crate::watch::Watch;

#[derive(Clone, Copy)]
pub struct Options<'a> {
    pub fork: Fork,
    /// For all functions together, if there is a limit. Those that are not done by then have no bound.
    pub time: Option<Duration>,
    /// Set by somebody else to end everything soon.
    pub stop: Option<&'a AtomicBool>,
    /// Hears of every function that is done, from any thread.
    pub progress: Option<&'a (dyn Fn(&Ceiling) + Sync)>,
}

impl Options<'_> {
    pub fn new(fork: Fork) -> Options<'static> {
        Options { fork, time: None, stop: None, progress: None }
    }
}

/// What a call of one function costs at most.
#[derive(Clone, Debug)]
pub struct Ceiling {
    /// As in the ABI: `transfer(address,uint256)`, `receive()`, `fallback()`.
    pub function: String,
    pub entry: Entry,
    /// Gas of the call itself, without what callees use: holds for every run that does not run out of gas and does
    /// not end in one of `burns`, whatever it is called with. Refunds are not taken off.
    pub execution: Bound,
    /// Instructions that give others control, by their offset in the code. What those use is not in the bound, unless
    /// it is limited: [`Bound::with_callees`].
    pub calls: Vec<(usize, Call)>,
    /// Instructions that take all the gas there is: an `assert` that fails, before Solidity 0.8.
    pub burns: Vec<usize>,
    /// Loops whose rounds depend on parameters of the bound.
    pub loops: Vec<Loop>,
    /// Why there is no bound; empty if there is one.
    pub blames: Vec<Blame>,
    /// How many instructions were looked at.
    pub steps: u64,
}

/// The ceilings of all functions, several at a time.
pub fn ceilings(subject: &Subject, options: &Options) -> Vec<Ceiling> {
    let code = Code::new(subject.code.clone(), subject.holes.clone());
    let watch = Watch::new(options.time.unwrap_or(NO_LIMIT), options.stop);
    let of = |function: &Function| {
        let found = ceiling(subject, &code, function, options, watch);
        if let Some(tell) = options.progress {
            tell(&found);
        }
        found
    };
    match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool.install(|| subject.functions.par_iter().map(of).collect()),
        Err(_) => subject.functions.iter().map(of).collect(),
    }
}

/// A year.
const NO_LIMIT: Duration = Duration::from_secs(31_536_000);

/// Ways are followed by recursion; address space is free until it is touched.
const STACK: usize = 1 << 29;

/// With as little care as it takes to find a bound: each degree of it is right, and where one loses track of a length another
/// may not.
fn ceiling(subject: &Subject, code: &Code, function: &Function, options: &Options, watch: Watch) -> Ceiling {
    let schedule = Schedule { fork: options.fork };
    let with = |care: Care| {
        let machine = Machine::new(code, schedule, function);
        let (explorer, outcome) = follow(subject, machine, function, care, watch);
        concluded(subject, function, explorer, outcome)
    };
    let mut found = with(Care::CLOSE);
    if found.gave_up() {
        found = with(Care::COARSE);
    }
    for care in [Care::PATIENT, Care::THOROUGH] {
        if !found.lost_track() || watch.is_over() {
            break;
        }
        let other = with(care);
        if other.blames.is_empty() {
            found = other;
        }
    }
    found
}

impl Ceiling {
    /// There was too much to look at.
    fn gave_up(&self) -> bool {
        self.blames.iter().any(|blame| blame.reason == Reason::Effort)
    }

    /// Something that is given was taken to be unknown, perhaps, where ways were joined.
    fn lost_track(&self) -> bool {
        self.blames.iter().any(|blame| matches!(blame.reason, Reason::Effort | Reason::Length))
    }
}

/// What an exploration says of the function.
fn concluded(
    subject: &Subject,
    function: &Function,
    mut explorer: Explorer,
    outcome: Result<Outcome, Abort>,
) -> Ceiling {
    let ends = match outcome {
        Ok(outcome) => outcome.ends,
        Err(abort) => {
            let reason = match abort {
                Abort::Time => Reason::Time,
                Abort::Effort | Abort::Widen(_) => Reason::Effort,
            };
            explorer.blames.push(Blame { pc: 0, reason });
            Cases::of(Cost::endless())
        }
    };
    let Explorer { machine, mut blames, loops, steps, .. } = explorer;
    let names = Names { function, variables: &subject.variables };
    let execution =
        Bound::new(ends, machine.lengths.into_iter().collect(), Arc::new(machine.terms), |terms, term| {
            names.name(terms, term)
        });
    blames.retain(|blame| blame.reason != Reason::Loop);
    blames.extend(execution.parameters().iter().filter_map(|parameter| match parameter.kind {
        ParameterKind::Rounds(pc) => Some(Blame { pc, reason: Reason::Loop }),
        ParameterKind::Unknown(pc) => Some(Blame { pc, reason: Reason::Length }),
        ParameterKind::Given | ParameterKind::Returned(_) => None,
    }));
    let mut burns = machine.burns;
    burns.sort_unstable();
    burns.dedup();
    blames.sort_unstable();
    blames.dedup();
    let parameters = execution.parameters();
    let loops = loops.into_iter().filter_map(|(pc, atoms)| {
        let at = (0..parameters.len()).filter(|at| atoms.contains(&parameters[*at].term));
        let parameters: Vec<usize> = at.collect();
        (!parameters.is_empty()).then_some(Loop { pc, parameters })
    });
    let loops = loops.collect();
    Ceiling {
        function: function.signature.clone(),
        entry: function.entry,
        execution,
        calls: machine.calls.into_iter().collect(),
        burns,
        loops,
        blames,
        steps,
    }
}

/// All ways through the function.
fn follow<'a>(
    subject: &Subject,
    mut machine: Machine<'a>,
    function: &Function,
    care: Care,
    watch: Watch<'a>,
) -> (Explorer<'a>, Result<Outcome, Abort>) {
    let mut state = State::start(&mut machine.terms);
    let entered = enter(&mut machine.terms, state.facts(), function, &subject.functions);
    let mut explorer = Explorer::new(machine, care, watch);
    let outcome = match entered {
        true => explorer.explore(state),
        false => Ok(Outcome::default()),
    };
    (explorer, outcome)
}

/// What is known of the data when this function runs. False if that cannot be.
fn enter(terms: &mut Terms, facts: &mut Facts, function: &Function, all: &[Function]) -> bool {
    let size = terms.env(Env::CallDataSize);
    match function.entry {
        Entry::Selector(_) => facts.narrow(terms, size, word::Range::new(U256::from(4), U256::MAX)),
        Entry::Receive => facts.narrow(terms, size, word::Range::of(U256::ZERO)),
        Entry::Fallback => {
            let first = terms.calldata(Term::ZERO);
            let shift = terms.small(224);
            let selector = terms.op(Op::Shr, &[shift, first]);
            all.iter().all(|other| match other.entry {
                Entry::Selector(known) => {
                    let known = terms.small(u32::from_be_bytes(known).into());
                    let same = terms.equal(selector, known);
                    facts.assume(terms, same, false)
                }
                Entry::Receive | Entry::Fallback => true,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls of one function, whatever they are called with.
    fn of_code(code: &[u8], options: &Options) -> Ceiling {
        let function =
            Function { signature: "fallback()".into(), entry: Entry::Fallback, inputs: Vec::new() };
        let subject = Subject { code: code.to_vec(), functions: vec![function], ..Subject::default() };
        ceilings(&subject, options).remove(0)
    }

    /// Pushes two words and adds them: 2 + 2 + 3 gas.
    const SHORT: [u8; 4] = [0x5f, 0x5f, 0x01, 0x00];

    #[test]
    fn in_time() {
        let found = of_code(&SHORT, &Options::new(Fork::Cancun));
        assert_eq!((found.execution.constant(), found.blames), (Some(7), Vec::new()));
    }

    #[test]
    fn out_of_time_is_said_and_bounds_nothing() {
        let (asked, plain) = (AtomicBool::new(true), Options::new(Fork::Cancun));
        let too_late = Options { time: Some(Duration::ZERO), ..plain };
        let stopped = Options { stop: Some(&asked), ..plain };
        for options in [too_late, stopped] {
            let found = of_code(&SHORT, &options);
            assert_eq!(found.blames, [Blame { pc: 0, reason: Reason::Time }]);
            assert!(found.execution.is_endless() && found.execution.formula().is_none());
        }
    }
}
