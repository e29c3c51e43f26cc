//! What is known so far about the undecided checks of a contract, while several engines work on them.

use super::evidence::{Attempt, By, Invariant};
use super::told::Told;
use hornet_encoder::CheckKey;
use hornet_horn::Open;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub struct Board {
    rows: Mutex<Vec<Row>>,
    /// What proofs rest on, in files, or why they were not written.
    certificates: Mutex<Vec<Certificate>>,
    /// Nothing is left to do, or somebody wants an end.
    pub stop: AtomicBool,
}

pub type Certificate = std::result::Result<PathBuf, String>;

struct Row {
    key: CheckKey,
    outcome: Outcome,
    attempts: Vec<Attempt>,
    /// The Horn clauses admit a run that breaks it, when so many assertions were known to hold.
    refuted: Option<usize>,
    /// Why Horn clauses did not prove it, the last time.
    remark: Option<String>,
}

/// All there is about a check in the end.
#[derive(Serialize, Deserialize)]
pub struct Result {
    pub outcome: Outcome,
    pub attempts: Vec<Attempt>,
    pub remark: Option<String>,
}

/// How many runs that were not believed are enough.
const MOST_DOUBTS: usize = 3;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// With runs that were found but are not believed.
    Open {
        doubts: Vec<Doubt>,
    },
    Proved {
        by: By,
        invariants: Vec<Invariant>,
    },
    Violated {
        by: By,
        found: Found,
    },
    /// Proved by one engine, and seen to fail.
    Contradiction {
        by: By,
        found: Found,
    },
}

/// A run that breaks a check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    pub told: Told,
    /// Why it is not confirmed, if it is not.
    pub unconfirmed: Option<String>,
}

/// A run that should break a check, and what happened instead.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Doubt {
    pub told: Told,
    pub why: String,
    /// The machine was asked, and says otherwise.
    pub disproved: bool,
}

impl Board {
    pub fn new(keys: impl IntoIterator<Item = CheckKey>) -> Board {
        let row = |key| Row {
            key,
            outcome: Outcome::Open { doubts: Vec::new() },
            attempts: Vec::new(),
            refuted: None,
            remark: None,
        };
        Board {
            rows: Mutex::new(keys.into_iter().map(row).collect()),
            certificates: Mutex::default(),
            stop: AtomicBool::new(false),
        }
    }

    fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is not decided yet.
    pub fn open(&self) -> Vec<CheckKey> {
        self.rows().iter().filter(|row| row.outcome.is_open()).map(|row| row.key.clone()).collect()
    }

    /// What is not decided yet and was not refuted with as much knowledge.
    pub fn not_refuted(&self, known: usize) -> Vec<CheckKey> {
        let worth = |row: &&Row| row.outcome.is_open() && row.refuted.is_none_or(|before| before < known);
        self.rows().iter().filter(worth).map(|row| row.key.clone()).collect()
    }

    /// Why Horn clauses, with so many assertions known to hold, did not prove a check.
    pub fn not_proved(&self, key: &CheckKey, why: &Open, known: usize) {
        for row in self.rows().iter_mut().filter(|row| row.key == *key) {
            match why {
                Open::Refuted => {
                    row.refuted = Some(known);
                    row.remark =
                        Some("Horn clauses admit a run that breaks it, but none was found".to_owned());
                }
                Open::Undecided(why) => row.remark = Some(format!("Horn clauses: {why}")),
            }
        }
    }

    pub fn is_open(&self, key: &CheckKey) -> bool {
        self.rows().iter().any(|row| row.key == *key && row.outcome.is_open())
    }

    pub fn is_proved(&self, key: &CheckKey) -> bool {
        self.rows().iter().any(|row| row.key == *key && matches!(row.outcome, Outcome::Proved { .. }))
    }

    /// Checks hold because of some invariants.
    pub fn proved(&self, by: By, checks: &[CheckKey], invariants: &[Invariant]) {
        let mut rows = self.rows();
        for row in rows.iter_mut().filter(|row| checks.contains(&row.key)) {
            match &row.outcome {
                Outcome::Open { .. } => row.outcome = Outcome::Proved { by, invariants: invariants.to_vec() },
                // A run that nobody could watch is no evidence against a proof.
                Outcome::Violated { found, .. } if found.unconfirmed.is_some() => {
                    row.outcome = Outcome::Proved { by, invariants: invariants.to_vec() }
                }
                Outcome::Violated { found, .. } => {
                    row.outcome = Outcome::Contradiction { by, found: found.clone() }
                }
                Outcome::Proved { .. } | Outcome::Contradiction { .. } => {}
            }
        }
        self.stop_if_done(&rows);
    }

    /// A run breaks a check.
    pub fn violated(&self, by: By, key: &CheckKey, found: &Found) {
        let mut rows = self.rows();
        for row in rows.iter_mut().filter(|row| row.key == *key) {
            match &row.outcome {
                Outcome::Open { .. } => row.outcome = Outcome::Violated { by, found: found.clone() },
                Outcome::Proved { by, .. } if found.unconfirmed.is_none() => {
                    row.outcome = Outcome::Contradiction { by: *by, found: found.clone() }
                }
                Outcome::Proved { .. } | Outcome::Violated { .. } | Outcome::Contradiction { .. } => {}
            }
        }
        self.stop_if_done(&rows);
    }

    /// A run was found but is not believed; whether to go on looking for others.
    pub fn doubted(&self, key: &CheckKey, doubt: &Doubt) -> bool {
        let mut go_on = false;
        for row in self.rows().iter_mut().filter(|row| row.key == *key) {
            if let Outcome::Open { doubts } = &mut row.outcome {
                doubts.push(doubt.clone());
                go_on = doubts.len() < MOST_DOUBTS;
            }
        }
        go_on
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

    pub fn certified(&self, certificate: Option<Certificate>) {
        self.certificates.lock().unwrap_or_else(PoisonError::into_inner).extend(certificate);
    }

    pub fn certificates(&self) -> Vec<Certificate> {
        self.certificates.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What came out, in the order of the keys.
    pub fn results(self) -> Vec<Result> {
        let rows = self.rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        let result = |row: Row| {
            let Row { outcome, attempts, remark, .. } = row;
            Result { outcome, attempts, remark }
        };
        rows.into_iter().map(result).collect()
    }
}

impl Outcome {
    pub fn is_open(&self) -> bool {
        matches!(self, Outcome::Open { .. })
    }
}
