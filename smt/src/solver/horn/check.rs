//! Evidence: definitions that somebody has found, put into the clauses and asked again.

use super::{Clause, Model, System};
use crate::solver::refute::{Goal, Options, Outcome, Verdict, refute_all};
use crate::solver::{Limits, Reason, Solver};
use crate::term::{TermId, Terms};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A second opinion gets this part of the time that the first solver has for a clause.
const SECOND_OPINION: u32 = 4;

/// The time for a clause in the first round.
const QUICK: Duration = Duration::from_secs(1);

/// Every clause holds with the definitions put in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// The solvers that say so of every clause. Further ones may have been too slow; none disagrees.
    pub by: Vec<String>,
}

/// The first clause that is not known to hold, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Refused {
    pub clause: String,
    pub outcome: Outcome,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clause = &self.clause;
        match &self.outcome {
            Outcome::Sat { .. } => write!(f, "the invariants found do not satisfy clause `{clause}`"),
            Outcome::Unknown(reason) => write!(f, "clause `{clause}` could not be checked again: {reason}"),
            Outcome::Contradiction { unsat, sat } => {
                write!(f, "{unsat} and {sat} disagree about clause `{clause}`")
            }
            Outcome::Unsat => write!(f, "clause `{clause}` holds"),
        }
    }
}

/// Asks processes that have seen nothing else. The first of the solvers has to confirm every clause; no other one may
/// contradict it.
pub fn check(
    terms: &mut Terms,
    system: &System,
    model: &Model,
    options: &Options,
    stop: &AtomicBool,
) -> Result<Confirmed, Refused> {
    let goals: Vec<Goal> = system
        .clauses
        .iter()
        .map(|clause| Goal {
            name: clause.name.clone(),
            claim: violation(terms, clause, model),
            wanted: Vec::new(),
        })
        .collect();
    let mut by: Vec<String> = Vec::new();
    for (position, solver) in options.solvers.iter().enumerate() {
        let time = if position == 0 { options.limits.time } else { options.limits.time / SECOND_OPINION };
        let alone = Options { solvers: vec![solver.clone()], fresh: true, ..options.clone() };
        let open = open_goals(terms, &goals, &alone, time, stop);
        match worst(open, by.first()) {
            None => by.push(solver.name()),
            Some(refused) if position == 0 || !matches!(refused.outcome, Outcome::Unknown(_)) => {
                return Err(refused);
            }
            Some(_) => {}
        }
    }
    if by.is_empty() {
        let outcome = Outcome::Unknown(Reason::GaveUp("there is no solver to check with".into()));
        return Err(Refused { clause: String::new(), outcome });
    }
    Ok(Confirmed { by })
}

/// The goals that are not confirmed. Most clauses take no time; when one does, a process of its own often decides what one
/// process for all cannot, so they get little time together before each gets all of it, from both engines of the solver:
/// definitions that begin with a quantifier are hard for one of them.
fn open_goals(
    terms: &Terms,
    goals: &[Goal],
    options: &Options,
    time: Duration,
    stop: &AtomicBool,
) -> Vec<(Goal, Verdict)> {
    let ask = |goals: Vec<Goal>, time: Duration, solvers: Vec<Solver>| -> Vec<(Goal, Verdict)> {
        let options = Options { solvers, limits: Limits { time, ..options.limits }, ..options.clone() };
        let verdicts = refute_all(terms, &[], &goals, &options, stop);
        goals.into_iter().zip(verdicts).filter(|(_, verdict)| verdict.outcome != Outcome::Unsat).collect()
    };
    let mut solvers = options.solvers.clone();
    let open = ask(goals.to_vec(), time.min(QUICK), solvers.clone());
    let failed = open.iter().any(|(_, verdict)| !matches!(verdict.outcome, Outcome::Unknown(_)));
    if failed || time <= QUICK {
        return open;
    }
    solvers.extend(options.solvers.iter().filter_map(Solver::other_engine));
    ask(open.into_iter().map(|(goal, _)| goal).collect(), time, solvers)
}

/// A clause that fails before one that is not decided.
fn worst(open: Vec<(Goal, Verdict)>, first: Option<&String>) -> Option<Refused> {
    let mut found: Option<Refused> = None;
    for (goal, verdict) in open {
        let clause = goal.name;
        match (verdict.outcome, first) {
            (Outcome::Sat { .. }, Some(unsat)) => {
                let outcome = Outcome::Contradiction { unsat: unsat.clone(), sat: verdict.solver };
                return Some(Refused { clause, outcome });
            }
            (outcome @ Outcome::Sat { .. }, None) => return Some(Refused { clause, outcome }),
            (outcome, _) if found.is_none() => found = Some(Refused { clause, outcome }),
            _ => {}
        }
    }
    found
}

/// What must be impossible: the body holds and the head does not.
pub(super) fn violation(terms: &mut Terms, clause: &Clause, model: &Model) -> TermId {
    let body = terms.and_all(clause.body.iter().copied());
    let head = clause.head.unwrap_or_else(|| terms.bool(false));
    let not_head = terms.not(head);
    let violated = terms.and(body, not_head);
    model.apply(terms, violated)
}
