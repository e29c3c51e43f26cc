//! What the user can choose.

use hornet_ir::ids::ContractId;
use hornet_smt::solver;
pub use hornet_symbolic::Arithmetic;
use hornet_symbolic::exec::Passable;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

pub struct Options {
    pub arithmetic: Arithmetic,
    /// How deep unspecified internal functions are inlined into their callers.
    pub inline_depth: u32,
    /// Assertions that do not stop runs although they may fail.
    pub passable: Passable,
    /// Whether lack of ether for a transfer is looked for: to annotations it is an expected failure.
    pub states_ether: bool,
    /// Threads; zero for all cores.
    pub jobs: usize,
    /// Which solvers, with what time and memory for each check, and where questions are written to.
    pub solving: solver::Options,
    /// Contracts whose checks have another time.
    pub times: BTreeMap<ContractId, Duration>,
}

impl Options {
    pub fn solving_for(&self, contract: ContractId) -> Cow<'_, solver::Options> {
        match self.times.get(&contract) {
            None => Cow::Borrowed(&self.solving),
            Some(time) => {
                let mut own = self.solving.clone();
                own.limits.time = *time;
                Cow::Owned(own)
            }
        }
    }
}

/// Hears how the work goes; called from several threads.
pub trait Progress: Sync {
    /// Before the work begins: how many functions there are.
    fn planned(&self, _functions: usize) {}
    fn started(&self, _contract: &str, _function: &str) {}
    fn finished(&self, _contract: &str, _function: &str, _verdict: crate::FunctionVerdict) {}
    /// Asked now and then; true ends the work early, what is left is unknown.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Tells nobody.
pub struct Silent;

impl Progress for Silent {}
