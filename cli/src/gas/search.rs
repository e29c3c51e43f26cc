//! How the time for a contract is spent: on ceilings first, then on looking for dear runs with what is left.

use super::args::Measure;
use super::invariants;
use super::task::Target;
use crate::verify::interrupt;
use crate::verify::progress::Display;
use hornet_gas::ceiling::{self, Ceiling, ceilings};
use hornet_gas::classes::{FunctionClasses, Options, Subject, Witness, classes, deployment};
use hornet_ir::program::Program;
use hornet_ir::spec::Clause;
use hornet_smt::solver::{self, Solver};
use std::time::{Duration, Instant};

/// Of the time for a contract, what ceilings can take at most.
const FOR_CEILINGS: f64 = 0.75;

/// Of what ceilings leave, what looking for a dear deployment can take.
const FOR_DEPLOYMENT: f64 = 0.1;

/// … and proving invariants.
const FOR_INVARIANTS: f64 = 0.2;

pub struct Search {
    /// For each contract. Zero: no runs are looked for, and ceilings take as long as they take.
    time: Duration,
    measure: Measure,
    solving: solver::Options,
    display: Display,
}

impl Search {
    /// Among contracts that have so many functions together.
    pub fn new(seconds: u64, measure: Measure, functions: usize) -> Result<Search, String> {
        let z3 = Solver::find("z3", None).map_err(|e| e.to_string())?;
        let solving = solver::Options { solvers: vec![z3], ..solver::Options::default() };
        let display = Display::new(None);
        display.expect(functions);
        Ok(Search { time: Duration::from_secs(seconds), measure, solving, display })
    }

    /// Begins with a contract.
    pub fn turn(&self, name: &str) -> Turn<'_> {
        Turn { search: self, name: name.to_owned(), began: Instant::now() }
    }

    /// Takes the display away.
    pub fn end(&self) {
        self.display.end();
    }
}

/// One contract.
pub struct Turn<'a> {
    search: &'a Search,
    name: String,
    began: Instant,
}

impl Turn<'_> {
    pub fn ceilings(&self, subject: &ceiling::Subject, target: &Target) -> Vec<Ceiling> {
        let Search { time, display, .. } = self.search;
        display.now(format!("{}: ceilings", self.name));
        let count = |_: &Ceiling| display.done();
        let options = ceiling::Options {
            time: (!time.is_zero()).then(|| time.mul_f64(FOR_CEILINGS)),
            stop: Some(interrupt::flag()),
            progress: if time.is_zero() { Some(&count) } else { None },
            ..ceiling::Options::new(target.build.fork)
        };
        ceilings(subject, &options)
    }

    /// What is known to hold whenever a transaction begins, found out in a part of the time that is left.
    pub fn invariants<'p>(&self, program: &'p Program, target: &Target) -> &'p [Clause] {
        let left = self.search.time.saturating_sub(self.began.elapsed());
        invariants::proved(program, target.contract, &self.search.solving, left.mul_f64(FOR_INVARIANTS))
    }

    /// What is found in the time that is left, for each function, in states in which invariants hold.
    pub fn runs(
        &self,
        program: &Program,
        target: &Target,
        invariants: &[Clause],
    ) -> Result<Vec<FunctionClasses>, String> {
        let display = &self.search.display;
        if self.search.time.is_zero() {
            return Ok(Vec::new());
        }
        display.now(format!("{}: runs that are dear", self.name));
        let subject = Subject { program, contract: target.contract, build: &target.build };
        let count = |_: &FunctionClasses| display.done();
        let options = Options { progress: Some(&count), invariants, ..self.options(1.0) };
        classes(&subject, &options).map_err(|e| e.to_string())
    }

    /// The dearest deployment that is found in a part of the time that is left; nothing if none is looked for, or all
    /// revert.
    pub fn deployment(&self, program: &Program, target: &Target) -> Result<Option<Witness>, String> {
        if self.search.time.is_zero() {
            return Ok(None);
        }
        let subject = Subject { program, contract: target.contract, build: &target.build };
        deployment(&subject, &self.options(FOR_DEPLOYMENT)).map_err(|e| e.to_string())
    }

    /// For a part of the time that is left.
    fn options(&self, part: f64) -> Options<'_> {
        let Search { time, measure, solving, .. } = self.search;
        Options {
            time: time.saturating_sub(self.began.elapsed()).mul_f64(part),
            measure: measure.of_classes(),
            stop: Some(interrupt::flag()),
            ..Options::new(solving)
        }
    }
}
