//! What stands behind a verdict.

use super::told::Told;
use hornet_horn::Invariant;
use std::fmt;
use std::time::Duration;

/// Who finds answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum By {
    #[default]
    Modular,
    Bounded,
    Horn,
}

impl By {
    /// As programs read it.
    pub fn name(self) -> &'static str {
        match self {
            By::Modular => "modular",
            By::Bounded => "bounded",
            By::Horn => "horn",
        }
    }

    /// As people read it.
    pub fn words(self) -> &'static str {
        match self {
            By::Modular => "each function on its own",
            By::Bounded => "search for short runs",
            By::Horn => "Horn clauses",
        }
    }
}

/// Beside the verdict of a check: who gave it, and why one should believe it.
#[derive(Clone, Debug, Default)]
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
    /// Which engines worked on it and how long, in the order in which they ended.
    pub attempts: Vec<Attempt>,
}

impl Evidence {
    /// What a proof rests on, as one expression as far as it can be written as one.
    pub fn invariant(&self) -> Option<String> {
        let texts: Vec<&str> = self.invariants.iter().filter_map(|i| i.text.as_deref()).collect();
        (!texts.is_empty()).then(|| texts.join(" && "))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
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
