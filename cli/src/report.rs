//! Diagnostics on standard error: located, in compiler style.

use crate::finding::{Finding, Title};
use crate::sources::SourceFiles;
use crate::style::Screen;
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::span::{SourceMap, Span};
use std::io::Write;

/// More than anybody reads; the rest is counted.
const MAX_SHOWN: usize = 30;

/// Writes all diagnostics and, if there are errors, how many.
pub fn report(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let text = render(&SourceFiles::new(sources), diagnostics, Screen::stderr());
    // Nobody reading any more is not an error.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// All diagnostics as text, errors first (they are why there is no result), each kind in the order of the source.
pub fn render(files: &SourceFiles<'_>, diagnostics: &[Diagnostic], screen: Screen) -> String {
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by_key(|d| (d.severity, d.span));
    let mut text: String = ordered.iter().take(MAX_SHOWN).map(|d| finding(d).render(files, screen)).collect();
    if ordered.len() > MAX_SHOWN {
        text.push_str(&format!("… and {} more\n\n", ordered.len() - MAX_SHOWN));
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if errors > 1 {
        text.push_str(&format!("{errors} errors\n"));
    }
    text
}

/// `file:line:column` of a span's start.
pub fn location(sources: &SourceMap, span: Span) -> String {
    SourceFiles::new(sources).location_text(span)
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    let title = match diagnostic.severity {
        Severity::Error => Title::Error,
        Severity::Warning => Title::Warning,
        Severity::Unsupported => Title::NotModelled,
    };
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    Finding {
        places: diagnostic.span.map(|span| (span, String::new())).into_iter().collect(),
        labels: diagnostic.labels.iter().map(|l| (l.span, l.text.clone())).collect(),
        notes: help.collect(),
        ..Finding::new(title, &diagnostic.message)
    }
}
