//! Runs that cost the same, by class, each with a transaction that was executed.
//!
//! A class is a condition on the arguments and on the state before the call under which every run goes the same way and
//! pays the same price at each step. Its [`Witness`] is a transaction, with the state that it begins in, that was run on
//! the EVM with the compiled code: the figures of a class are those of that run. Classes that turn out to cost the same
//! are one. Beyond what the conditions say, transactions are varied as long as that makes them dearer (`climb`).
//!
//! The code is followed symbolically once, and whatever decides a price on the way is noted (`survey`). The cases that
//! are possible are found one question at a time (`cases`); functions that are called again and again have cases of
//! their own (`functions`). A model of a case is turned into a transaction (`model`) and run.
//!
//! ```text
//! let subject = Subject { program: &program, contract, build: &build };
//! for function in classes(&subject, &Options::new(&solving))? {
//!     println!("{}: {:?}", function.function, function.dearest().map(Class::own));
//! }
//! ```

mod account;
mod amount;
mod analysis;
mod candidate;
mod cases;
mod climb;
mod condition;
mod deployment;
mod functions;
mod home;
mod interval;
mod lazy;
mod merge;
mod model;
mod mutate;
mod point;
mod price;
mod refund;
mod slot;
mod start;
mod survey;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use hornet_evm::Address;
use hornet_evm::compiler::CompileError;
use hornet_evm::machine::Message;
use hornet_evm::measure::{Build, Measurement, State};
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::spec::Clause;
use rayon::prelude::*;

use analysis::Analyser;
use candidate::{Candidate, Price};
use climb::{Climb, Tried};
pub use deployment::deployment;
use functions::Library;
use home::Home;
use hornet_symbolic::exec::{AllEffects, unroll};
use merge::{Merged, merged};
use start::Entrance;

use crate::watch::Watch;

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

/// What is to be as large as possible, and is the same for all runs of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Measure {
    /// Gas of the contract's own code, before refunds.
    #[default]
    Execution,
    /// That, and what is given back. The dearest run of a class has the bytes that cost most.
    Transaction,
}

#[derive(Clone)]
pub struct Options<'a> {
    pub method: Method,
    pub measure: Measure,
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
            measure: Measure::default(),
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
    /// where no case was predicted to cost this, and a transaction was found by trying.
    pub conditions: Vec<String>,
    pub outcome: Outcome,
    /// What the code used, with what it called, before refunds.
    pub execution: u64,
    /// What the sender pays for, in the run that is dearest for them.
    pub total: u64,
    pub witness: Witness,
}

impl Class {
    /// What the contract's own code used, without those that it called: what ceilings bound.
    pub fn own(&self) -> u64 {
        self.execution - self.witness.measurement.callees
    }

    /// What the sender pays for, without those that the contract called.
    pub fn paid(&self) -> u64 {
        self.total.saturating_sub(self.witness.measurement.callees)
    }

    fn price(&self, measure: Measure) -> Price {
        Price::of(&self.witness.measurement, measure)
    }
}

#[derive(Clone, Debug)]
pub struct FunctionClasses {
    /// As in the ABI: `transfer(address,uint256)`, `receive()`, `fallback()`.
    pub function: String,
    /// The dearest first, by what is measured.
    pub classes: Vec<Class>,
    /// Every run of a call whose arguments are encoded as they should be is in one of the classes, but for those that take
    /// all the gas they are given.
    pub complete: bool,
    pub why_incomplete: Option<String>,
    /// How many questions the solver was asked. Those about functions that several share are counted with the first.
    pub questions: usize,
}

impl FunctionClasses {
    pub fn dearest(&self) -> Option<&Class> {
        self.classes.first()
    }
}

/// The classes of every function that can be called from outside.
pub fn classes(subject: &Subject, options: &Options) -> Result<Vec<FunctionClasses>, CompileError> {
    let home = Home::new(subject)?;
    let watch = Watch::new(options.time, options.stop);
    let program = unroll(subject.program, options.rounds);
    let (effects, never) = (AllEffects::new(&program), AtomicBool::new(false));
    let analyser =
        Analyser { subject, home: &home, options, program: &program, effects: &effects, never: &never };
    let library = analyser.library(watch.share(LIBRARY));
    let entrances = Entrance::all(subject.program, subject.contract);
    let left = AtomicUsize::new(entrances.len());
    let function = |entrance: &Entrance| {
        let waiting = left.fetch_sub(1, Ordering::Relaxed);
        let share = rayon::current_num_threads() as f64 / waiting as f64;
        let found = of_function(&analyser, &library, entrance, watch.share(share));
        if let Some(tell) = options.progress {
            tell(&found);
        }
        found
    };
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
    let pool = pool.map_err(|why| CompileError(format!("no threads: {why}")))?;
    let mut found: Vec<FunctionClasses> = pool.install(|| entrances.par_iter().map(function).collect());
    if let Some(first) = found.first_mut() {
        first.questions += library.questions;
    }
    Ok(found)
}

/// Expressions and conditions are followed by recursion.
const STACK: usize = 1 << 28;

/// Shares of the time that is left: for the classes of functions that are shared, and for the conditions of a function.
const LIBRARY: f64 = 0.25;
const CONDITIONS: f64 = 0.6;
/// Of what is then left, the rest is for running what was found once more.
const TRYING: f64 = 0.8;

fn of_function<'a>(
    analyser: &Analyser<'a>,
    library: &Library,
    entrance: &Entrance,
    watch: Watch<'a>,
) -> FunctionClasses {
    let (home, measure) = (analyser.home, analyser.options.measure);
    let analysis = analyser.function(entrance, library, watch.share(CONDITIONS));
    // Whether invariants hold in a state is known of those that were found to satisfy them.
    let free = analyser.options.invariants.is_empty();
    let mut climb = Climb::new(watch.share(TRYING), measure, free);
    for data in entrance.data.iter().filter(|_| free) {
        climb.try_out(Candidate::new(home, data.clone()));
    }
    for case in &analysis.cases {
        climb.try_out(case.candidate.clone());
    }
    climb.run();
    let Tried { best, prices } = climb.into_tried();
    let Merged { classes, strayed, left_out } = merged(home, measure, analysis.cases, best, watch);
    let strayed = (strayed > 0).then(|| match strayed {
        1 => "one case went another way on the machine".to_owned(),
        _ => format!("{strayed} cases went another way on the machine"),
    });
    let left_out = left_out.then(|| "there was no time to run all cases".to_owned());
    let is_known = |price: &Price| classes.iter().any(|class| class.price(measure) == *price);
    let others = prices.iter().any(|price| price.returns && !is_known(price));
    let others = others.then(|| "runs were found that cost something else".to_owned());
    let why_incomplete = analysis.why_incomplete.or(strayed).or(left_out).or(others);
    FunctionClasses {
        function: entrance.signature.clone(),
        classes,
        complete: why_incomplete.is_none(),
        why_incomplete,
        questions: analysis.questions,
    }
}
