//! Commands of lenses and quick fixes, as the editor sends them back.

use super::report::{Check, Owner};
use lsp_types::{Command, Url};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub const PROVE: &str = "hornet.prove";
pub const SHOW: &str = "hornet.showCounterexample";
pub const TEST: &str = "hornet.writeTest";
/// All of them: part of the interface.
pub const ALL: [&str; 3] = [PROVE, SHOW, TEST];

/// A check that a report has, or had.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckName {
    pub uri: Url,
    #[serde(flatten)]
    pub of: Owner,
    pub kind: String,
    pub start: usize,
}

impl CheckName {
    pub fn new(uri: &Url, check: &Check) -> CheckName {
        let start = check.location.range().start;
        CheckName { uri: uri.clone(), of: check.of.clone(), kind: check.kind.clone(), start }
    }

    pub fn means(&self, check: &Check) -> bool {
        (&self.of, &self.kind, self.start) == (&check.of, &check.kind, check.location.range().start)
    }
}

/// A contract, or everything in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Target {
    pub uri: Url,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
}

pub enum Asked {
    Prove(Target),
    Show(CheckName),
    Test(CheckName),
}

impl Asked {
    /// An error says what is wrong with it.
    pub fn read(command: &str, mut arguments: Vec<Value>) -> Result<Asked, String> {
        let argument = if arguments.is_empty() { Value::Null } else { arguments.swap_remove(0) };
        let wrong = |e: serde_json::Error| format!("`{command}` cannot be done with this: {e}");
        match command {
            PROVE => serde_json::from_value(argument).map(Asked::Prove).map_err(wrong),
            SHOW => serde_json::from_value(argument).map(Asked::Show).map_err(wrong),
            TEST => serde_json::from_value(argument).map(Asked::Test).map_err(wrong),
            _ => Err(format!("there is no command `{command}`")),
        }
    }
}

pub fn prove(title: String, uri: &Url, contract: &str) -> Command {
    let target = Target { uri: uri.clone(), contract: Some(contract.to_owned()) };
    command(title, PROVE, &target)
}

pub fn command(title: String, name: &str, argument: &impl Serialize) -> Command {
    // Only strings and numbers: nothing that could fail.
    let arguments = serde_json::to_value(argument).ok().map(|argument| vec![argument]);
    Command { title, command: name.to_owned(), arguments }
}
