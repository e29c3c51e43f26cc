//! What `hornet verify` and `hornet gas` print for programs, read back.

use super::documents::canonical;
use crate::verify::ToldStep;
use hornet_encoder::Counterexample;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Report {
    pub checks: Vec<Check>,
    pub functions: Vec<Function>,
    pub diagnostics: Vec<Remark>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    pub file: PathBuf,
    pub line: usize,
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Proved,
    Violated,
    Unknown,
    Unsupported,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Check {
    #[serde(flatten)]
    pub of: Owner,
    pub kind: String,
    pub location: Place,
    pub verdict: Verdict,
    pub confirmed: bool,
    pub message: String,
    pub reason: Option<String>,
    pub accepted: Option<String>,
    pub annotation: Option<Note>,
    #[serde(default)]
    pub related: Vec<Note>,
    pub counterexample: Option<Counterexample>,
    pub trace: Option<Vec<ToldStep>>,
    pub compiler: Option<String>,
    #[serde(default)]
    pub switched_off: Vec<Place>,
    #[serde(default)]
    pub invariants: Vec<Invariant>,
}

/// The function that something is said about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Owner {
    pub contract: String,
    pub function: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

impl Owner {
    /// `Bank.withdraw`, with its parameters if there are several of the name.
    pub fn qualified(&self) -> String {
        format!("{}.{}", self.contract, self.signature.as_ref().unwrap_or(&self.function))
    }
}

/// Something said at a place.
#[derive(Clone, Debug, Deserialize)]
pub struct Note {
    #[serde(alias = "text")]
    pub message: String,
    pub location: Place,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    AfterTransactions,
    Loop,
    #[serde(other)]
    Otherwise,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Invariant {
    pub when: When,
    pub text: Option<String>,
    pub location: Option<Place>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Function {
    #[serde(flatten)]
    pub of: Owner,
    pub verdict: String,
    pub location: Place,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Remark {
    pub severity: String,
    pub message: String,
    pub location: Option<Place>,
    pub help: Option<String>,
}

impl Report {
    /// `None` if it is no report. Files are seen from the folder.
    pub fn read(json: &str, folder: &Path) -> Option<Report> {
        let mut report: Report = serde_json::from_str(json).ok()?;
        report.each_place(&mut |place| place.file = canonical(&folder.join(&place.file)));
        Some(report)
    }

    fn each_place(&mut self, act: &mut dyn FnMut(&mut Place)) {
        for check in &mut self.checks {
            act(&mut check.location);
            check.annotation.iter_mut().chain(&mut check.related).for_each(|note| act(&mut note.location));
            check.switched_off.iter_mut().for_each(&mut *act);
            check.invariants.iter_mut().filter_map(|i| i.location.as_mut()).for_each(&mut *act);
        }
        self.functions.iter_mut().for_each(|function| act(&mut function.location));
        self.diagnostics.iter_mut().filter_map(|remark| remark.location.as_mut()).for_each(act);
    }

    /// What is newly known about some contracts takes the place of what was known about them.
    pub fn update(&mut self, newer: Report) {
        let known = |of: &Owner| newer.functions.iter().any(|f| f.of.contract == of.contract);
        self.checks.retain(|check| !known(&check.of));
        self.functions.retain(|function| !known(&function.of));
        self.checks.extend(newer.checks);
        self.functions.extend(newer.functions);
        self.diagnostics = newer.diagnostics;
    }
}

impl Place {
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl Check {
    /// Somebody has to look at it.
    pub fn is_open(&self) -> bool {
        self.verdict != Verdict::Proved && self.accepted.is_none()
    }

    pub fn fails(&self) -> bool {
        self.verdict == Verdict::Violated && self.accepted.is_none()
    }
}

/// `6 proved · 1 violated · 0 unknown`
pub fn tally<'c>(checks: impl IntoIterator<Item = &'c Check>) -> String {
    let (mut proved, mut violated, mut unknown) = (0, 0, 0);
    for check in checks {
        match check.verdict {
            Verdict::Proved => proved += 1,
            Verdict::Violated => violated += 1,
            Verdict::Unknown | Verdict::Unsupported => unknown += 1,
        }
    }
    format!("{proved} proved · {violated} violated · {unknown} unknown")
}
