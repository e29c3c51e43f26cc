//! Looking for dear runs.

use super::task::Target;
use hornet_gas::classes::{FunctionClasses, Options, Subject, classes};
use hornet_ir::program::Program;
use hornet_smt::solver::{self, Solver};
use std::time::Duration;

pub struct Search {
    time: Duration,
    solving: solver::Options,
}

impl Search {
    pub fn new(seconds: u64) -> Result<Search, String> {
        let z3 = Solver::find("z3", None).map_err(|e| e.to_string())?;
        let solving = solver::Options { solvers: vec![z3], ..solver::Options::default() };
        Ok(Search { time: Duration::from_secs(seconds), solving })
    }

    /// What is found in the time there is, for each function.
    pub fn runs(&self, program: &Program, target: &Target) -> Result<Vec<FunctionClasses>, String> {
        if self.time.is_zero() {
            return Ok(Vec::new());
        }
        let subject = Subject { program, contract: target.contract, build: &target.build };
        let options = Options { time: self.time, ..Options::new(&self.solving) };
        classes(&subject, &options).map_err(|e| e.to_string())
    }
}
