//! Verdicts as editors show them, at their places in the texts as they are now.

use super::check::SOURCE;
use super::counterexample::transactions;
use super::documents::Documents;
use super::drift::Drift;
use super::positions::{Encoding, Lines};
use super::report::{Check, Function, Place, Remark, Verdict};
use super::verified::Verified;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range as LspRange,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub type ByFile = BTreeMap<PathBuf, Vec<Diagnostic>>;

pub struct Teller<'a> {
    documents: &'a Documents,
    verified: &'a Verified,
    /// What was verified: things without a place are said here.
    file: &'a Path,
    /// From each text as it was verified to the one that is shown, and the lines of that.
    texts: BTreeMap<&'a Path, (Drift, Lines<'a>)>,
}

impl<'a> Teller<'a> {
    pub fn new(
        documents: &'a Documents,
        verified: &'a Verified,
        encoding: Encoding,
        file: &'a Path,
    ) -> Teller<'a> {
        let texts = verified.sources.iter().map(|(path, seen)| {
            let shown = documents.get(path).map_or(&*seen.text, |document| &document.text);
            (path.as_path(), (Drift::between(&seen.text, shown), Lines::new(shown, encoding)))
        });
        Teller { documents, verified, file, texts: texts.collect() }
    }

    /// Everything that is not proved, and is about text that has not changed since.
    pub fn diagnostics(&self) -> ByFile {
        let mut found = ByFile::new();
        let report = &self.verified.report;
        let checks = report.checks.iter().filter(|check| check.verdict != Verdict::Proved);
        let checks = checks.filter_map(|check| Some((check.location.file.clone(), self.check(check)?)));
        let remarks = report.diagnostics.iter().filter_map(|remark| self.remark(remark));
        for (file, diagnostic) in checks.chain(remarks) {
            add(&mut found, file, diagnostic);
        }
        found
    }

    fn check(&self, check: &Check) -> Option<Diagnostic> {
        let severity = match (check.verdict, &check.accepted) {
            (_, Some(_)) => DiagnosticSeverity::HINT,
            (Verdict::Violated | Verdict::Proved, None) => DiagnosticSeverity::ERROR,
            (Verdict::Unknown, None) => DiagnosticSeverity::WARNING,
            (Verdict::Unsupported, None) => DiagnosticSeverity::INFORMATION,
        };
        let function = check.of.qualified();
        let message = &check.message;
        let mut message = match (check.confirmed, &check.reason) {
            (true, _) => format!("{message} in `{function}` (confirmed on the EVM)"),
            (false, Some(reason)) => format!("{message} in `{function}`: {reason}"),
            (false, None) => format!("{message} in `{function}`"),
        };
        if let Some(reason) = &check.accepted {
            message = format!("{message}; accepted: {reason}");
        }
        let related: Vec<_> = self.related(check);
        Some(Diagnostic {
            range: self.range(&check.location, Extent::FirstLine)?,
            severity: Some(severity),
            code: Some(NumberOrString::String(check.kind.clone())),
            source: Some(SOURCE.to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        })
    }

    /// The annotation that fails, what leads there, and the transactions of a run that does.
    fn related(&self, check: &Check) -> Vec<DiagnosticRelatedInformation> {
        let annotation =
            check.annotation.iter().filter(|note| note.location.range() != check.location.range());
        let annotation =
            annotation.map(|note| (&note.location, format!("this {}: {}", check.kind, note.message)));
        let causes = check.related.iter().map(|note| (&note.location, note.message.clone()));
        let steps = check.trace.as_deref().unwrap_or_default();
        let run = steps.iter().zip(transactions(check)).map(|(step, lines)| {
            let called = step.function.as_deref().unwrap_or_default();
            let lines: Vec<String> = lines.iter().map(|line| on_one_line(line)).collect();
            (self.function(check, called, &step.action), lines.join("\n"))
        });
        let told = annotation.chain(causes).chain(run).filter_map(|(place, message)| {
            let location =
                Location::new(self.documents.url(&place.file)?, self.range(place, Extent::FirstLine)?);
            Some(DiagnosticRelatedInformation { location, message })
        });
        told.collect()
    }

    /// Where the function of a transaction is; the place that fails, if it is not here.
    fn function<'c>(&'c self, check: &'c Check, called: &str, action: &str) -> &'c Place {
        let names = match action {
            "deploy" => ["[constructor]", "[implicit_constructor]"],
            "receive" => ["[receive]", "[fallback]"],
            "fallback" => ["[fallback]", "[fallback]"],
            _ => [called, called],
        };
        let is_meant =
            |f: &&Function| f.of.contract == check.of.contract && names.contains(&f.of.function.as_str());
        let same = self.verified.report.functions.iter().find(is_meant);
        same.map_or(&check.location, |function| &function.location)
    }

    fn remark(&self, remark: &Remark) -> Option<(PathBuf, Diagnostic)> {
        let (file, range) = match &remark.location {
            Some(place) => (place.file.clone(), self.range(place, Extent::Whole)?),
            None => (self.file.to_owned(), LspRange::default()),
        };
        let is_error = remark.severity == "error";
        let help = remark.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let diagnostic = Diagnostic {
            range,
            severity: Some(if is_error { DiagnosticSeverity::ERROR } else { DiagnosticSeverity::WARNING }),
            source: Some(SOURCE.to_owned()),
            message: format!("{}{help}", remark.message),
            ..Diagnostic::default()
        };
        Some((file, diagnostic))
    }

    /// In the text as it is now; `None` if it is no longer what it was.
    fn range(&self, place: &Place, extent: Extent) -> Option<LspRange> {
        let (drift, lines) = self.texts.get(place.file.as_path())?;
        let range = drift.forward(&place.range())?;
        Some(match extent {
            Extent::Whole => lines.range(&range),
            Extent::FirstLine => lines.first_line(&range),
        })
    }
}

#[derive(Clone, Copy)]
enum Extent {
    Whole,
    /// A whole function underlined says less than its header.
    FirstLine,
}

/// Columns are for texts with letters of one width.
fn on_one_line(line: &str) -> String {
    let parts: Vec<&str> = line.trim().split("   ").map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// The same thing said by several is said once.
pub fn add(found: &mut ByFile, file: PathBuf, diagnostic: Diagnostic) {
    let here = found.entry(file).or_default();
    let same = |other: &Diagnostic| (other.range, &other.message) == (diagnostic.range, &diagnostic.message);
    if !here.iter().any(same) {
        here.push(diagnostic);
    }
}
