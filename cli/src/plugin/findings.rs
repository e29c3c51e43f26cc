//! What verification finds, as entries like the compiler's own.

use super::excerpt;
use super::wishes::{Deny, Wishes};
use crate::input::Refusal;
use crate::sources::SourceFiles;
use crate::verify::Results;
use hornet_encoder::{Check, Verdict};
use hornet_ir::program::ObligationKind;
use hornet_ir::span::Span;
use serde_json::{Value, json};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
    Info,
}

impl Severity {
    /// As solc writes it before a message and as the type of an entry.
    fn word(self) -> &'static str {
        match self {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
            Severity::Info => "Info",
        }
    }
}

pub struct Entry {
    pub severity: Severity,
    code: u32,
    message: String,
    /// The message with its place, as solc prints it.
    pub formatted: String,
    place: Option<Value>,
}

/// Codes of solc have four digits. Here the second one is the verdict, the last two are the kind of check.
const VIOLATED: u32 = 71000;
const UNKNOWN: u32 = 72000;
const UNSUPPORTED: u32 = 73000;
/// What is said about the run, not about a place in the source.
const SUMMARY: u32 = 70000;
const NOT_READ: u32 = 70001;

/// Part of the interface: numbers are never given anew.
fn number(kind: ObligationKind) -> u32 {
    match kind {
        ObligationKind::Assertion => 1,
        ObligationKind::Overflow => 2,
        ObligationKind::Underflow => 3,
        ObligationKind::DivisionByZero => 4,
        ObligationKind::OutOfBounds => 5,
        ObligationKind::EmptyPop => 6,
        ObligationKind::EnumConversion => 7,
        ObligationKind::InsufficientBalance => 8,
        ObligationKind::Invariant => 9,
        ObligationKind::LoopInvariant => 10,
        ObligationKind::Precondition => 11,
        ObligationKind::Postcondition => 12,
        ObligationKind::Modifies => 13,
        ObligationKind::Emits => 14,
        ObligationKind::EventPrecondition => 15,
        ObligationKind::EventPostcondition => 16,
        ObligationKind::Succeeds => 17,
        ObligationKind::Reverts => 18,
    }
}

impl Entry {
    fn new(
        files: &SourceFiles<'_>,
        severity: Severity,
        code: u32,
        message: String,
        span: Option<Span>,
    ) -> Entry {
        let formatted = excerpt::formatted(files, severity.word(), &message, span);
        let place = span.map(|span| {
            let range = files.range(span);
            json!({ "file": files.file_name(span.file), "start": range.start, "end": range.end })
        });
        Entry { severity, code, message, formatted, place }
    }

    /// About everything, or nothing in particular.
    fn unplaced(severity: Severity, code: u32, message: String) -> Entry {
        let formatted = format!("{}: {message}\n", severity.word());
        Entry { severity, code, message, formatted, place: None }
    }

    pub fn json(&self) -> Value {
        let mut entry = json!({
            "component": "hornet",
            "errorCode": self.code.to_string(),
            "formattedMessage": self.formatted,
            "message": self.message,
            "severity": self.severity.word().to_lowercase(),
            "type": self.severity.word(),
        });
        if let Some(place) = &self.place {
            entry["sourceLocation"] = place.clone();
        }
        entry
    }
}

/// Everything that is violated; what is merely not proved is counted, unless somebody wants the build to fail for it.
pub fn entries(results: &Results<'_>, wishes: &Wishes) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut unsaid = 0;
    for group in results.not_proved() {
        match severity(&group[0].verdict, wishes.deny) {
            Some(severity) => entries.push(entry(results, group[0], severity)),
            None => unsaid += group.len(),
        }
    }
    if unsaid > 0 {
        let (all, time) = (results.report.checks.len(), wishes.time.as_secs_f64());
        let message = format!(
            "hornet: {unsaid} of {all} checks not decided in {time} s; `hornet verify` says why, HORNET_TIME gives more"
        );
        entries.push(Entry::unplaced(Severity::Info, SUMMARY, message));
    }
    entries
}

/// How it is shown, if at all.
fn severity(verdict: &Verdict, deny: Deny) -> Option<Severity> {
    let is_error = match verdict {
        Verdict::Proved => return None,
        Verdict::Violated => deny >= Deny::Violated,
        Verdict::Unknown(_) | Verdict::Unsupported { .. } => {
            return (deny >= Deny::Unproved).then_some(Severity::Error);
        }
    };
    Some(if is_error { Severity::Error } else { Severity::Warning })
}

fn entry(results: &Results<'_>, check: &Check, severity: Severity) -> Entry {
    let verdict = match &check.verdict {
        Verdict::Proved | Verdict::Violated => VIOLATED,
        Verdict::Unknown(_) => UNKNOWN,
        Verdict::Unsupported { .. } => UNSUPPORTED,
    };
    let function = results.qualified(results.function(check));
    let confirmed = results.evidence_of(check).is_some_and(|evidence| evidence.confirmed);
    let mut message = match (confirmed, results.reason(check)) {
        (true, _) => format!("{} in `{function}` (confirmed on the EVM)", results.message(check)),
        (false, Some(reason)) => format!("{} in `{function}` ({reason})", check.message),
        (false, None) => format!("{} in `{function}`", check.message),
    };
    for line in results.run_lines(check) {
        message.push_str(&format!("\n  {line}"));
    }
    Entry::new(results.files, severity, verdict + number(check.kind), message, Some(check.span))
}

/// The compiler accepts what the front end does not.
pub fn refused(refusal: &Refusal) -> Vec<Entry> {
    let files = SourceFiles::under_their_names(&refusal.sources);
    let errors = refusal.diagnostics.iter().filter(|d| d.severity == hornet_ir::diag::Severity::Error);
    let entry = |d: &hornet_ir::diag::Diagnostic| {
        Entry::new(&files, Severity::Info, NOT_READ, format!("not verified: {}", d.message), d.span)
    };
    errors.map(entry).collect()
}

pub fn out_of_time() -> Vec<Entry> {
    vec![Entry::unplaced(Severity::Info, SUMMARY, "hornet: nothing was decided in time".to_owned())]
}
