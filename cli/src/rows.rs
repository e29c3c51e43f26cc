//! Rows that the JSON of all commands has: places and diagnostics.

use crate::sources::SourceFiles;
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::span::Span;
use serde::Serialize;

#[derive(Serialize)]
pub struct Location<'a> {
    pub file: &'a str,
    pub line: usize,
    pub column: usize,
    pub start: usize,
    pub end: usize,
}

#[derive(Serialize)]
pub struct DiagnosticRow<'a> {
    pub severity: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<&'a str>,
}

pub fn location<'a>(files: &SourceFiles<'a>, span: Span) -> Location<'a> {
    let position = files.position(span);
    let range = files.range(span);
    Location {
        file: files.file_name(span.file),
        line: position.line,
        column: position.column,
        start: range.start,
        end: range.end,
    }
}

pub fn diagnostic_row<'a>(files: &SourceFiles<'a>, diagnostic: &'a Diagnostic) -> DiagnosticRow<'a> {
    let (severity, message) = match diagnostic.severity {
        Severity::Error => ("error", diagnostic.message.clone()),
        Severity::Warning => ("warning", diagnostic.message.clone()),
        Severity::Unsupported => ("warning", format!("unsupported: {}", diagnostic.message)),
    };
    DiagnosticRow {
        severity,
        message,
        location: diagnostic.span.map(|span| location(files, span)),
        help: diagnostic.help.as_deref(),
    }
}
