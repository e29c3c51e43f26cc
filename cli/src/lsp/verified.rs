//! What a run of the verifier said, and of which texts.

use super::documents::Documents;
use super::drift::Drift;
use super::outline::Declared;
use super::report::{Check, Function, Owner, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file as it was on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    pub text: String,
    written: Option<SystemTime>,
}

pub type Sources = BTreeMap<PathBuf, Seen>;

/// All files that can be read.
pub fn seen(files: &BTreeSet<PathBuf>) -> Sources {
    let read = |path: &PathBuf| {
        let written = written(path);
        Some((path.clone(), Seen { text: std::fs::read_to_string(path).ok()?, written }))
    };
    files.iter().filter_map(read).collect()
}

fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}

pub struct Verified {
    pub report: Report,
    /// The file that was verified, and everything that it imports.
    pub sources: Sources,
}

impl Verified {
    /// Whether nothing has changed since, neither here nor in what is imported.
    pub fn is_fresh(&self, documents: &Documents) -> bool {
        self.sources.iter().all(|(path, seen)| match documents.get(path) {
            Some(document) => *document.text == *seen.text,
            None => written(path) == seen.written,
        })
    }

    pub fn text(&self, file: &Path) -> &str {
        self.sources.get(file).map_or("", |seen| &seen.text)
    }
}

/// What is known about a function of a text, which may have changed elsewhere since.
pub struct Known<'v> {
    pub checks: Vec<&'v Check>,
    pub functions: Vec<&'v Function>,
    /// The text is the one that was verified, and so is what it imports.
    pub fresh: bool,
}

impl<'v> Known<'v> {
    /// Everything about a function as it stands in a text that the verified one has drifted to; `None` if it was not verified, or has changed.
    pub fn about(
        declared: &Declared,
        file: &Path,
        verified: &'v Verified,
        drift: &Drift,
        fresh: bool,
    ) -> Option<Known<'v>> {
        let same = |function: &&Function| {
            let moved = drift.forward(&function.location.range());
            function.location.file == file && moved.is_some_and(|now| now.start == declared.range.start)
        };
        // A function may be verified twice, and with each contract that inherits it.
        let functions: Vec<&Function> = verified.report.functions.iter().filter(same).collect();
        let owns = |of: &Owner| functions.iter().any(|function| function.of == *of);
        let checks = verified.report.checks.iter().filter(|check| owns(&check.of)).collect();
        (!functions.is_empty()).then_some(Known { checks, functions, fresh })
    }

    pub fn is_verified(&self) -> bool {
        !self.checks.iter().any(|check| check.is_open()) && self.functions.iter().all(|f| f.is_settled(self))
    }

    /// Checks that fail, the first one first.
    pub fn failing(&self) -> impl Iterator<Item = &'v Check> + '_ {
        self.checks.iter().copied().filter(|check| check.fails())
    }
}

impl Function {
    /// Nothing is left to say about it, or what is left is lived with.
    fn is_settled(&self, known: &Known<'_>) -> bool {
        let mut own = known.checks.iter().filter(|check| check.of == self.of);
        self.verdict == "ok" || own.any(|check| check.accepted.is_some())
    }
}
