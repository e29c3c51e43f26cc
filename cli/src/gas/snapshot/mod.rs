//! What everything costs, in a file that is kept beside the sources, and compared with.

mod compare;
mod file;

use super::args::Measure;
use super::report::Report;
use crate::input::Refusal;
use compare::{Change, changes};
use file::Snapshot;
use hornet_gas::ceiling::Formula;
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{SourceMap, Span};
use std::path::Path;

/// Where it is unless somebody says otherwise.
pub const USUAL_FILE: &str = ".hornet-gas-snapshot";

/// One function, or the deployment of a contract.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// `Token.transfer(address,uint256)`
    pub name: String,
    pub seen: Option<u64>,
    pub ceiling: Ceiling,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Ceiling {
    /// Deployments with arguments are searched only, and some ceilings are not found in time.
    None,
    Unbounded,
    Formula(Formula),
}

pub fn write(report: &Report, path: &Path) -> Result<(), String> {
    let text = Snapshot::of(report).text();
    std::fs::write(path, text).map_err(|e| format!("--snapshot: cannot write `{}`: {e}", path.display()))
}

/// A snapshot to compare with, and the name of its file.
pub struct Known {
    snapshot: Snapshot,
    file: String,
}

impl Known {
    /// It has to be about the same gas.
    pub fn read(path: &Path, measure: Measure) -> Result<Known, Refusal> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| {
            format!("--check: cannot read `{shown}`: {e}; `hornet gas --snapshot` writes such a file")
        })?;
        let snapshot = Snapshot::read(&text).map_err(|(range, message)| {
            let mut sources = SourceMap::default();
            let file = sources.add(shown.clone(), text.clone());
            let span = Span::new(file, range.start, range.end);
            Refusal { sources, diagnostics: vec![Diagnostic::error(span, message)] }
        })?;
        let (was, is) = (&snapshot.measure, measure.name());
        if was != is {
            return Err(format!("`{shown}` is about {was} gas, not {is} gas: `--measure {was}`").into());
        }
        Ok(Known { snapshot, file: shown })
    }

    /// What is different, as text, and whether something is dearer than it may be.
    pub fn compared_with(&self, report: &Report, tolerance: f64) -> (String, bool) {
        let changes = changes(&self.snapshot.entries, &Snapshot::of(report).entries, tolerance);
        let dearer = changes.iter().any(|change| change.is_excess);
        (told(&changes, &self.file, tolerance), dearer)
    }
}

fn told(changes: &[Change], file: &str, tolerance: f64) -> String {
    if changes.is_empty() {
        return format!("Everything costs what `{file}` says.\n");
    }
    let width = changes.iter().map(|change| change.name.chars().count()).max().unwrap_or(0);
    let mut out = format!("Changes since `{file}`:\n");
    for change in changes {
        let mark = if change.is_excess { "✗" } else { " " };
        out += &format!(" {mark} {:width$}  {}\n", change.name, change.what);
    }
    let excess = changes.iter().filter(|change| change.is_excess).count();
    if excess > 0 {
        let more = if tolerance > 0.0 { format!(" by over {tolerance} %") } else { String::new() };
        out += &format!("{excess} dearer{more}; `hornet gas --snapshot` accepts\n");
    }
    out
}
