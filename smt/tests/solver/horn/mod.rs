//! Systems of Horn clauses: solved by processes of several kinds, checked again.

mod answers;
mod evidence;
mod hostile;
mod limits;
mod random;
mod solving;
mod systems;

use crate::common::z3;
use hornet_smt::solver::horn::{HornSolver, Portfolio};
use hornet_smt::solver::{Limits, Options};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn limits() -> Limits {
    Limits { time: Duration::from_secs(60), ..Limits::default() }
}

fn options() -> Options {
    Options { solvers: vec![z3()], limits: limits(), ..Options::default() }
}

/// The z3 program.
fn spacer() -> HornSolver {
    HornSolver::Path(z3().program)
}

/// The linked libz3 in a worker.
fn worker() -> HornSolver {
    HornSolver::Builtin(PathBuf::from(env!("CARGO_BIN_EXE_horn-worker")))
}

fn portfolio() -> Portfolio {
    Portfolio::of(vec![worker()])
}
