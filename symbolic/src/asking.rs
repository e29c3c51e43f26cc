//! Questions about one formula, one after the other, and the values that make it true.

use hornet_smt::solver::{Answer, Limits, Options, Session, Solver};
use hornet_smt::term::{TermId, Terms, Value};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A solver that knows the facts, and goes on from there.
pub struct Asking<'a> {
    session: Session,
    stop: &'a AtomicBool,
}

impl<'a> Asking<'a> {
    /// `None` if there is no solver. `alone` in a process that sees nothing else: it prepares the problem as a whole.
    pub fn new(options: &Options, stop: &'a AtomicBool) -> Option<Self> {
        let solver: &Solver = options.solvers.first()?;
        let limits = Limits { ..options.limits };
        Some(Asking { session: Session::pooled(solver, limits), stop })
    }

    pub fn assert(&mut self, terms: &Terms, term: TermId) {
        self.session.assert(terms, term);
    }

    pub fn push(&mut self) {
        self.session.push();
    }

    pub fn pop(&mut self) {
        self.session.pop();
    }

    pub fn check(&mut self, time: Duration) -> Answer {
        self.session.check_within(time, &[self.stop])
    }

    /// The values of terms in the model of the last check.
    pub fn model<'s>(&'s mut self) -> Model<'s> {
        Model { session: &mut self.session, known: FxHashMap::default(), lost: false }
    }
}

/// What makes a formula true.
pub struct Model<'s> {
    session: &'s mut Session,
    known: FxHashMap<TermId, Value>,
    /// The solver did not tell everything that it was asked for.
    pub lost: bool,
}

impl Model<'_> {
    /// Learns the values of terms at once, which is quicker than one by one.
    pub fn learn(&mut self, terms: &Terms, wanted: &[TermId]) {
        let unknown: Vec<TermId> = wanted.iter().copied().filter(|t| !self.known.contains_key(t)).collect();
        match self.session.values(terms, &unknown) {
            Ok(values) => self.known.extend(unknown.into_iter().zip(values)),
            Err(_) => self.lost = true,
        }
    }

    pub fn value(&mut self, terms: &Terms, term: TermId) -> Option<Value> {
        if !self.known.contains_key(&term) {
            self.learn(terms, &[term]);
        }
        self.known.get(&term).cloned()
    }

    pub fn holds(&mut self, terms: &Terms, term: TermId) -> bool {
        match terms.as_bool(term) {
            Some(known) => known,
            None => self.value(terms, term).and_then(|value| value.as_bool()).unwrap_or(false),
        }
    }
}
