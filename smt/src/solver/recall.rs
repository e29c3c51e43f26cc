//! Answers to the same questions in earlier runs. Only what is certain is remembered, and only what needs no model.

use super::dump::question;
use super::{Goal, Options, Outcome, Verdict};
use crate::store::Store;
use crate::term::{Dialect, TermId, Terms};
use std::time::Duration;

pub(super) struct Recall<'a> {
    terms: &'a Terms,
    background: &'a [TermId],
    store: Option<&'a Store>,
}

const UNSAT: &str = "unsat";
const SAT: &str = "sat";

impl<'a> Recall<'a> {
    pub fn new(terms: &'a Terms, background: &'a [TermId], options: &'a Options) -> Recall<'a> {
        let store = options.memory.as_ref().filter(|_| !options.fresh && !options.cross_check);
        Recall { terms, background, store }
    }

    pub fn verdict(&self, goal: &Goal) -> Option<Verdict> {
        let answer = self.store?.get(&[self.question(goal).as_bytes()])?;
        let (word, solver) = std::str::from_utf8(&answer).ok()?.split_once(' ')?;
        let outcome = match word {
            UNSAT => Outcome::Unsat,
            SAT if goal.wanted.is_empty() => Outcome::Sat { values: Vec::new() },
            _ => return None,
        };
        Some(Verdict { outcome, solver: solver.to_owned(), elapsed: Duration::ZERO })
    }

    pub fn note(&self, goal: &Goal, verdict: &Verdict) {
        let Some(store) = self.store else { return };
        let word = match &verdict.outcome {
            Outcome::Unsat => UNSAT,
            Outcome::Sat { values } if values.is_empty() => SAT,
            Outcome::Sat { .. } | Outcome::Unknown(_) | Outcome::Contradiction { .. } => return,
        };
        store.put(&[self.question(goal).as_bytes()], format!("{word} {}", verdict.solver).as_bytes());
    }

    /// The same in whatever language solvers are asked.
    fn question(&self, goal: &Goal) -> String {
        question(self.terms, self.background, goal.claim, Dialect::Z3)
    }
}
