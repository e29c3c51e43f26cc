//! What the user can choose.

use hornet_symbolic::Arithmetic;
use hornet_symbolic::exec::Trust;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Clone, Debug)]
pub struct Settings {
    pub arithmetic: Arithmetic,
    /// Whose code runs when others are called.
    pub trust: Trust,
    /// Which solvers, with what time and memory for each question.
    pub solving: hornet_smt::solver::Options,
    /// Who looks for invariants.
    pub horn: hornet_smt::solver::horn::Portfolio,
    /// Where certificates are written to, one file for each proof.
    pub certificates: Option<PathBuf>,
    /// When to stop, whatever is left.
    pub deadline: Instant,
    /// Threads.
    pub jobs: usize,
}
