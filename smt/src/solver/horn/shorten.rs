//! Invariants for people: without what the proof does not need.

use super::check::violation;
use super::{Clause, Definition, Model, System};
use crate::solver::{Answer, Limits, Session, Solver};
use crate::term::{Op, TermId, Terms};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// No single question is worth more than this.
const LONGEST_QUESTION: Duration = Duration::from_millis(500);

/// Leaves out parts of the definitions as long as every clause still holds, largest parts first, until `limits.time` is up.
/// A model that passes `check` still does.
pub fn simplify_model(
    terms: &mut Terms,
    system: &System,
    model: &Model,
    solver: &Solver,
    limits: Limits,
    stop: &AtomicBool,
) -> Model {
    let deadline = Instant::now() + limits.time;
    let mut search = Search { session: Session::start(solver, limits, None), system, deadline, stop };
    let mut model = model.clone();
    for at in 0..model.definitions.len() {
        let mut parts = conjuncts(terms, model.definitions[at].body);
        parts.sort_by_key(|part| std::cmp::Reverse(extent(terms, *part)));
        let mut next = 0;
        while next < parts.len() && !search.is_over() {
            let mut fewer = parts.clone();
            fewer.remove(next);
            let candidate = with_body(terms, &model, at, &fewer);
            if search.still_holds(terms, &candidate, at) {
                parts = fewer;
                model = candidate;
            } else {
                next += 1;
            }
        }
    }
    model
}

struct Search<'a> {
    session: Session,
    system: &'a System,
    deadline: Instant,
    stop: &'a AtomicBool,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }

    /// Whether the clauses hold after a definition was made weaker: those that rely on it may not.
    fn still_holds(&mut self, terms: &mut Terms, model: &Model, changed: usize) -> bool {
        let Definition { predicate, .. } = &model.definitions[changed];
        let relies_on_it = |clause: &&Clause| {
            let mut applied = false;
            terms.walk(&clause.body, |term| applied |= super::predicate(terms, term) == Some(predicate));
            applied
        };
        let clauses: Vec<&Clause> = self.system.clauses.iter().filter(relies_on_it).collect();
        clauses.into_iter().all(|clause| {
            let claim = violation(terms, clause, model);
            let left = self.deadline.saturating_duration_since(Instant::now());
            self.session.push();
            self.session.assert(terms, claim);
            let answer = self.session.check_within(left.min(LONGEST_QUESTION), &[self.stop]);
            self.session.pop();
            answer == Answer::Unsat
        })
    }
}

fn with_body(terms: &mut Terms, model: &Model, at: usize, parts: &[TermId]) -> Model {
    let mut changed = model.clone();
    changed.definitions[at].body = terms.and_all(parts.iter().copied());
    changed
}

/// What must all hold for the term to hold.
fn conjuncts(terms: &mut Terms, term: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        match (terms.op(term), terms.args(term)) {
            (Op::And, args) => pending.extend(args.iter().rev()),
            // None of the alternatives holds.
            (Op::Not, &[inner]) if *terms.op(inner) == Op::Or => {
                let alternatives = terms.args(inner).to_vec();
                pending.extend(alternatives.into_iter().rev().map(|alternative| terms.not(alternative)));
            }
            _ => parts.push(term),
        }
    }
    parts
}

fn extent(terms: &Terms, term: TermId) -> usize {
    let mut count = 0;
    terms.walk(&[term], |_| count += 1);
    count
}
