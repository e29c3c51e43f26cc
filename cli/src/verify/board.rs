//! What is known so far about the undecided checks of a contract, while several engines work on them.

use super::evidence::{Attempt, By};
use hornet_encoder::CheckKey;
use hornet_horn::{Invariant, Proof};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub struct Board {
    rows: Mutex<Vec<Row>>,
    /// Nothing is left to do, or somebody wants an end.
    pub stop: AtomicBool,
}

struct Row {
    key: CheckKey,
    outcome: Outcome,
    attempts: Vec<Attempt>,
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Open,
    Proved { by: By, invariants: Vec<Invariant> },
}

impl Board {
    pub fn new(keys: impl IntoIterator<Item = CheckKey>) -> Board {
        let row = |key| Row { key, outcome: Outcome::Open, attempts: Vec::new() };
        Board { rows: Mutex::new(keys.into_iter().map(row).collect()), stop: AtomicBool::new(false) }
    }

    fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is not decided yet.
    pub fn open(&self) -> Vec<CheckKey> {
        self.rows().iter().filter(|row| row.outcome.is_open()).map(|row| row.key.clone()).collect()
    }

    pub fn is_proved(&self, key: &CheckKey) -> bool {
        self.rows().iter().any(|row| row.key == *key && matches!(row.outcome, Outcome::Proved { .. }))
    }

    pub fn proved(&self, by: By, proof: &Proof) {
        let mut rows = self.rows();
        for row in rows.iter_mut().filter(|row| proof.checks.contains(&row.key)) {
            if row.outcome.is_open() {
                row.outcome = Outcome::Proved { by, invariants: proof.invariants.clone() };
            }
        }
        self.stop_if_done(&rows);
    }

    fn stop_if_done(&self, rows: &[Row]) {
        if rows.iter().all(|row| !row.outcome.is_open()) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// An engine has worked on some checks.
    pub fn attempted(&self, keys: &[CheckKey], attempt: &Attempt) {
        for row in self.rows().iter_mut().filter(|row| keys.contains(&row.key)) {
            row.attempts.push(attempt.clone());
        }
    }

    /// What came out.
    pub fn results(self) -> Vec<(CheckKey, Outcome, Vec<Attempt>)> {
        let rows = self.rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        rows.into_iter().map(|row| (row.key, row.outcome, row.attempts)).collect()
    }
}

impl Outcome {
    fn is_open(&self) -> bool {
        matches!(self, Outcome::Open)
    }
}
