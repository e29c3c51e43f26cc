//! Simplification must never change what a term means: random terms against the evaluator and against z3.

mod bits;
mod meaning;
mod printing;
mod random;
mod rules;

use super::{TermId, Terms};
use crate::solver::{Answer, Limits, Session, Solver};
use std::time::Duration;

/// A session with the z3 that set-up unpacked.
fn z3_session(time: Duration) -> Session {
    let solver = Solver::find("z3", None).expect("set-up unpacks z3");
    Session::start(&solver, Limits { time, memory_mb: 1024 }, None)
}

/// What z3 says about a term alone.
fn z3_check(terms: &Terms, claim: TermId) -> Answer {
    let mut session = z3_session(Duration::from_secs(20));
    session.assert(terms, claim);
    session.check()
}
