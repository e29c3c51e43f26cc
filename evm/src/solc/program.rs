//! Compilers that are programs of their own: started for each compilation, which takes them no time.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::SolcError;
use super::command::of_program;
use crate::pragma::Version;
use crate::process::{Failure, answer};

/// To say which version it is.
const PATIENCE: Duration = Duration::from_secs(20);

/// What other tools have downloaded: `svm/0.8.20/solc-0.8.20`.
pub(super) fn installed() -> Vec<(Version, PathBuf)> {
    let Some(home) = std::env::var_os("HOME").map(PathBuf::from) else { return Vec::new() };
    let folders = [".svm", ".local/share/svm"].map(|folder| home.join(folder));
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let program = entry.path().join(format!("solc-{name}"));
            program.is_file().then_some((name.parse().ok()?, program))
        })
        .collect()
}

/// Asks it: `Version: 0.8.20+commit.a1b79de6.Linux.g++`, or the same without the word.
pub(super) fn version(path: &Path) -> Result<Version, SolcError> {
    let text = run(path, "--version", "", PATIENCE)?;
    let words = text.split_whitespace();
    let found = words.filter(|word| word.contains('.')).find_map(|word| word.parse().ok());
    found.ok_or_else(|| SolcError::new(format!("`{}` does not say which solc it is", path.display())))
}

pub(super) fn compile(path: &Path, input: &str, limit: Duration) -> Result<String, SolcError> {
    run(path, "--standard-json", input, limit)
}

fn run(path: &Path, option: &str, input: &str, limit: Duration) -> Result<String, SolcError> {
    let shown = path.display();
    answer(of_program(path).arg(option), input, limit).map_err(|failure| match failure {
        Failure::CannotStart(e) => SolcError::new(format!("cannot run `{shown}`: {e}")),
        Failure::TimedOut => SolcError::new(format!("`{shown}` took longer than {} s", limit.as_secs())),
        Failure::Failed => {
            SolcError::new(format!("`{shown} {option}` fails: it is no solc, or a broken one"))
        }
    })
}
