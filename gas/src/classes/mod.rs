//! Runs that cost the same, by class, each with a transaction that was executed.
//!
//! A class is a condition on the arguments and on the state before the call under which every run goes the same way and
//! pays the same price at each step. Its [`Witness`] is a transaction, with the state that it begins in, that was run on
//! the EVM with the compiled code: the figures of a class are those of that run. Classes that turn out to cost the same
//! are one. Beyond what the conditions say, transactions are varied as long as that makes them dearer ([`climb`]).
//!
//! ```text
//! let subject = Subject { program: &program, contract, build: &build };
//! for function in classes(&subject, &Options::new(&solving))? {
//!     println!("{}: {:?}", function.function, function.dearest().map(Class::own));
//! }
//! ```

mod candidate;
mod climb;
mod home;
mod mutate;
mod start;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hornet_evm::Address;
use hornet_evm::compiler::CompileError;
use hornet_evm::machine::Message;
use hornet_evm::measure::{Build, Measurement, State};
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::spec::Clause;
use rayon::prelude::*;

use candidate::Candidate;
use climb::Climb;
use home::Home;
use start::Entrance;

/// Whose functions are looked at. Names of files are the same in the program and in the build.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub program: &'a Program,
    pub contract: ContractId,
    pub build: &'a Build,
}

/// How calls are divided into classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Everything that a function calls is part of it.
    WholeProgram,
    /// Functions that are called have classes of their own, which their callers share.
    #[default]
    ByFunction,
}

#[derive(Clone)]
pub struct Options<'a> {
    pub method: Method,
    /// Rounds of a loop that are looked at.
    pub rounds: u32,
    /// For all functions together. What is found by then is what there is.
    pub time: Duration,
    pub solving: &'a hornet_smt::solver::Options,
    /// What holds of the contract whenever nobody is inside: states that break it are left out.
    pub invariants: &'a [Clause],
    /// Set by somebody else to end everything soon.
    pub stop: Option<&'a AtomicBool>,
    /// Hears of every function that is done, from any thread.
    pub progress: Option<&'a (dyn Fn(&FunctionClasses) + Sync)>,
}

impl<'a> Options<'a> {
    pub fn new(solving: &'a hornet_smt::solver::Options) -> Options<'a> {
        Options {
            method: Method::default(),
            rounds: 2,
            time: Duration::from_secs(30),
            solving,
            invariants: &[],
            stop: None,
            progress: None,
        }
    }
}

/// A transaction that was run, with the state that it began in. The code of the contract, with its immutables, is in
/// that state.
#[derive(Clone, Debug)]
pub struct Witness {
    pub state: State,
    pub contract: Address,
    pub message: Message,
    pub measurement: Measurement,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    Returns,
    Reverts,
}

#[derive(Clone, Debug)]
pub struct Class {
    /// In Solidity, over arguments and the state before the call; one for each of the cases that cost the same. Empty
    /// where a transaction was found by trying.
    pub conditions: Vec<String>,
    pub outcome: Outcome,
    /// What the code used, with what it called, before refunds.
    pub execution: u64,
    /// What the sender pays for.
    pub total: u64,
    pub witness: Witness,
}

impl Class {
    /// What the contract's own code used, without those that it called: what ceilings bound.
    pub fn own(&self) -> u64 {
        self.execution - self.witness.measurement.callees
    }
}

#[derive(Clone, Debug)]
pub struct FunctionClasses {
    /// As in the ABI: `transfer(address,uint256)`, `receive()`, `fallback()`.
    pub function: String,
    /// The dearest first, by what the contract's own code uses.
    pub classes: Vec<Class>,
    /// Every run, with loops of so many rounds, is in one of the classes.
    pub complete: bool,
    pub why_incomplete: Option<String>,
}

impl FunctionClasses {
    pub fn dearest(&self) -> Option<&Class> {
        self.classes.first()
    }
}

/// The classes of every function that can be called from outside.
pub fn classes(subject: &Subject, options: &Options) -> Result<Vec<FunctionClasses>, CompileError> {
    let home = Home::new(subject)?;
    let watch = Watch { deadline: Instant::now() + options.time, stop: options.stop };
    let entrances = Entrance::all(subject.program, subject.contract);
    let function = |entrance: &Entrance| {
        let found = of_function(&home, entrance, watch);
        if let Some(tell) = options.progress {
            tell(&found);
        }
        found
    };
    Ok(entrances.par_iter().map(function).collect())
}

fn of_function(home: &Home, entrance: &Entrance, watch: Watch) -> FunctionClasses {
    let mut climb = Climb::new(watch);
    for data in &entrance.data {
        climb.try_out(Candidate::new(home, data.clone()));
    }
    climb.run();
    let classes = climb.into_best().map(|witness| class(home, witness)).into_iter().collect();
    FunctionClasses {
        function: entrance.signature.clone(),
        classes,
        complete: false,
        why_incomplete: Some("conditions were not looked at".to_owned()),
    }
}

fn class(home: &Home, candidate: Candidate) -> Class {
    let witness = candidate.witness(home);
    let measurement = &witness.measurement;
    Class {
        conditions: Vec::new(),
        outcome: if measurement.outcome.success { Outcome::Returns } else { Outcome::Reverts },
        execution: measurement.execution,
        total: measurement.total,
        witness,
    }
}

/// When to stop, whatever is left.
#[derive(Clone, Copy)]
struct Watch<'a> {
    deadline: Instant,
    stop: Option<&'a AtomicBool>,
}

impl Watch<'_> {
    fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) || Instant::now() >= self.deadline
    }
}
