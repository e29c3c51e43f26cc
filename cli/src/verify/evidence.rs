//! What stands behind a verdict.

use super::told::Told;
use hornet_ir::program::Program;
use hornet_ir::span::Span;
use hornet_symbolic::exec::Place;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Who finds answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum By {
    #[default]
    Modular,
    Bounded,
    Inference,
    Horn,
}

impl By {
    /// As programs read it.
    pub fn name(self) -> &'static str {
        match self {
            By::Modular => "modular",
            By::Bounded => "bounded",
            By::Inference => "inference",
            By::Horn => "horn",
        }
    }

    /// As people read it.
    pub fn words(self) -> &'static str {
        match self {
            By::Modular => "each function on its own",
            By::Bounded => "search for short runs",
            By::Inference => "inferred invariants",
            By::Horn => "Horn clauses",
        }
    }
}

/// Something that holds in all runs whenever control is at some place, as a Solidity expression.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Invariant {
    pub when: When,
    /// In Solidity, if that has words for it.
    pub text: Option<String>,
    /// As an annotation the text says the same, overflow included.
    exact: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum When {
    AfterTransactions,
    /// The contract waits for an answer, and others may only look.
    Watched,
    /// From one moment in which others have control to a later one.
    Meanwhile,
    /// In every round of a loop.
    Loop(Option<Span>),
    /// A function that calls itself is entered.
    Called(String),
    /// It returns.
    Returned(String),
}

impl Invariant {
    pub fn of_clauses(program: &Program, found: &hornet_horn::Invariant) -> Invariant {
        let name = |proc| match &program.procs[proc].function {
            Some(function) => function.name.clone(),
            None => program.procs[proc].name.clone(),
        };
        let when = match found.place {
            Place::Outside => When::AfterTransactions,
            Place::Watched => When::Watched,
            Place::Meanwhile => When::Meanwhile,
            Place::Loop { span, .. } => When::Loop(span),
            Place::Called(proc) => When::Called(name(proc)),
            Place::Returned(proc) => When::Returned(name(proc)),
        };
        Invariant { when, text: found.text.clone(), exact: found.exact }
    }

    pub fn inferred(found: &hornet_encoder::Invariant) -> Invariant {
        let when = match found.place {
            hornet_encoder::Place::Contract(_) => When::AfterTransactions,
            hornet_encoder::Place::Loop(span) => When::Loop(Some(span)),
        };
        Invariant { when, text: Some(found.text.clone()), exact: found.exact }
    }

    /// Before what it can be pasted as an annotation.
    pub fn annotates(&self) -> Option<&'static str> {
        self.text.as_ref().filter(|_| self.exact)?;
        match self.when {
            When::AfterTransactions => Some("the contract"),
            When::Loop(_) => Some("the loop"),
            When::Watched | When::Meanwhile | When::Called(_) | When::Returned(_) => None,
        }
    }
}

/// Beside the verdict of a check: who gave it, and why one should believe it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    pub by: By,
    /// Seen on an EVM.
    pub confirmed: bool,
    /// The run that shows it; for what is not decided, one that was not believed.
    pub run: Option<Told>,
    /// Why a run is not confirmed.
    pub unconfirmed: Option<String>,
    /// What a proof rests on.
    pub invariants: Vec<Invariant>,
    /// Why there is no proof, in the words of the engine that came closest.
    pub remark: Option<String>,
    /// Which engines worked on it and how long, in the order in which they ended.
    pub attempts: Vec<Attempt>,
}

impl Evidence {
    /// What a proof rests on, as one expression as far as it can be written as one.
    pub fn invariant(&self) -> Option<String> {
        let texts: Vec<&str> = self.invariants.iter().filter_map(|i| i.text.as_deref()).collect();
        (!texts.is_empty()).then(|| texts.join(" && "))
    }

    /// Each engine that worked on it once, with all the time it took: `each function on its own 0.10 s, Horn clauses 9.80 s`.
    pub fn efforts(&self) -> String {
        let mut efforts: Vec<Attempt> = Vec::new();
        for attempt in &self.attempts {
            match efforts.iter_mut().find(|effort| effort.by == attempt.by) {
                Some(effort) => {
                    effort.time += attempt.time;
                    effort.broken |= attempt.broken;
                }
                None => efforts.push(attempt.clone()),
            }
        }
        efforts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    /// How long its contract was looked at as a whole because of it: search and proofs go side by side.
    pub fn investigated(&self) -> Duration {
        let of = |engines: &[By]| -> Duration {
            self.attempts.iter().filter(|a| engines.contains(&a.by)).map(|a| a.time).sum()
        };
        of(&[By::Bounded]).max(of(&[By::Horn, By::Inference]))
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attempt {
    pub by: By,
    pub time: Duration,
    /// The engine itself went wrong.
    pub broken: bool,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let broken = if self.broken { " (internal error)" } else { "" };
        write!(f, "{} {:.2} s{broken}", self.by.words(), self.time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(by: By, seconds: u64) -> Attempt {
        Attempt { by, time: Duration::from_secs(seconds), broken: false }
    }

    #[test]
    fn an_engine_that_tries_again_is_told_once() {
        let attempts = vec![
            attempt(By::Modular, 1),
            attempt(By::Horn, 2),
            attempt(By::Bounded, 3),
            attempt(By::Inference, 4),
            attempt(By::Horn, 5),
        ];
        let evidence = Evidence { attempts, ..Evidence::default() };
        assert_eq!(
            evidence.efforts(),
            "each function on its own 1.00 s, Horn clauses 7.00 s, search for short runs 3.00 s, inferred invariants 4.00 s"
        );
        assert_eq!(evidence.investigated(), Duration::from_secs(11));
    }
}
