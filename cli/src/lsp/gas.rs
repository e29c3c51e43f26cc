//! What functions cost, found out while nobody waits for it.

use super::documents::canonical;
use super::drift::Drift;
use super::outline::Declared;
use crate::gas::number::thousands;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is known about the functions of a file, as the text was on disk.
#[derive(Default)]
pub struct Gas {
    text: Arc<str>,
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Unasked,
    Asked,
    Known(Vec<Function>),
    Failed(String),
}

#[derive(Deserialize)]
struct Document {
    contracts: Vec<Contract>,
    diagnostics: Vec<Remark>,
}

#[derive(Deserialize)]
struct Remark {
    message: String,
}

#[derive(Deserialize)]
struct Contract {
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    location: Option<Place>,
    ceiling: Ceiling,
    worst_seen: Option<Run>,
}

#[derive(Deserialize)]
struct Place {
    file: PathBuf,
    start: usize,
    end: usize,
}

#[derive(Deserialize)]
struct Ceiling {
    execution: Option<u64>,
    execution_formula: Option<String>,
}

#[derive(Deserialize)]
struct Run {
    execution: u64,
    callees: u64,
}

impl Gas {
    /// The answer is on its way.
    pub fn asked(text: Arc<str>) -> Gas {
        Gas { text, state: State::Asked }
    }

    /// Whether somebody has asked about this text.
    pub fn is_about(&self, text: &str) -> bool {
        !matches!(self.state, State::Unasked) && *self.text == *text
    }

    pub fn answered(&mut self, json: &str, file: &Path, folder: &Path) {
        self.state = match serde_json::from_str::<Document>(json) {
            Ok(document) if document.contracts.is_empty() => {
                let why = document.diagnostics.first().map(|remark| remark.message.clone());
                State::Failed(why.unwrap_or_else(|| "nothing here is deployed".to_owned()))
            }
            Ok(document) => {
                let functions = document.contracts.into_iter().flat_map(|contract| contract.functions);
                let here = |f: &Function| {
                    f.location.as_ref().is_some_and(|at| canonical(&folder.join(&at.file)) == file)
                };
                State::Known(functions.filter(here).collect())
            }
            Err(_) => State::Failed("it could not be found out".to_owned()),
        };
    }

    /// A line about a function as it stands in the text; `None` if there is nothing to say.
    pub fn line(&self, declared: &Declared, text: &str) -> Option<String> {
        let stale = if *self.text == *text { "" } else { " (as of the last save)" };
        match &self.state {
            State::Unasked => None,
            State::Asked => Some("gas: being computed".to_owned()),
            State::Failed(why) => Some(format!("gas: unknown, {why}")),
            State::Known(functions) => {
                let drift = Drift::between(&self.text, text);
                let same = |f: &&Function| {
                    let now = f.location.as_ref().and_then(|at| drift.forward(&(at.start..at.end)));
                    now.is_some_and(|now| now.start == declared.range.start)
                };
                // The dearest of the contracts that inherit it.
                let here = functions.iter().filter(same);
                let dearest = here.max_by_key(|f| f.worst_seen.as_ref().map(|run| run.execution))?;
                Some(format!("gas: {}{stale}", dearest.words()))
            }
        }
    }
}

impl Function {
    fn words(&self) -> String {
        let ceiling = match (&self.ceiling.execution, &self.ceiling.execution_formula) {
            (Some(most), _) => format!("at most {}", thousands(*most)),
            (None, Some(formula)) => format!("at most {formula}"),
            (None, None) => "no ceiling".to_owned(),
        };
        match &self.worst_seen {
            Some(run) => {
                format!("{ceiling}, worst seen {}", thousands(run.execution.saturating_sub(run.callees)))
            }
            None => ceiling,
        }
    }
}
