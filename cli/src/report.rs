//! Diagnostics on standard error: located, in compiler style.

use crate::style::stderr_colour;
use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::{Error as FilesError, Files, line_starts};
use codespan_reporting::term::{self, termcolor};
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::span::{FileId, SourceMap, Span};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;
use std::rc::Rc;

/// More than anybody reads; the rest is counted.
const MAX_SHOWN: usize = 30;
/// Source lines longer than this are not quoted (minified or generated files).
const MAX_QUOTED: usize = 400;

/// Writes all diagnostics and, if there are errors, how many.
pub fn report(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let files = SourceFiles { sources, lines: RefCell::default() };
    let choice = if stderr_colour() { termcolor::ColorChoice::Always } else { termcolor::ColorChoice::Never };
    let stream = termcolor::StandardStream::stderr(choice);
    let mut out = stream.lock();
    // Errors first: they are why there is no result.
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by_key(|d| d.severity);
    for diagnostic in ordered.iter().take(MAX_SHOWN) {
        files.emit(&mut out, diagnostic);
    }
    if ordered.len() > MAX_SHOWN {
        let _ = writeln!(out, "… and {} more\n", ordered.len() - MAX_SHOWN);
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if errors > 1 {
        let _ = writeln!(out, "{errors} errors");
    }
}

/// `file:line:column` of a span's start.
pub fn location(sources: &SourceMap, span: Span) -> String {
    let files = SourceFiles { sources, lines: RefCell::default() };
    files.location_text(span)
}

struct SourceFiles<'a> {
    sources: &'a SourceMap,
    /// Line starts of the files asked about.
    lines: RefCell<HashMap<FileId, Rc<Vec<usize>>>>,
}

impl SourceFiles<'_> {
    fn line_starts(&self, id: FileId) -> Rc<Vec<usize>> {
        let mut lines = self.lines.borrow_mut();
        let starts = lines.entry(id).or_insert_with(|| Rc::new(line_starts(self.text(id)).collect()));
        starts.clone()
    }

    fn text(&self, id: FileId) -> &str {
        if (id.0 as usize) < self.sources.files().count() { &self.sources.file(id).text } else { "" }
    }

    /// The range within the file and on character boundaries, whatever the span says.
    fn range(&self, span: Span) -> Range<usize> {
        let text = self.text(span.file);
        let floor = |at: u32| {
            let mut at = (at as usize).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = floor(span.start);
        start..floor(span.end).max(start)
    }

    fn location_text(&self, span: Span) -> String {
        let start = self.range(span).start;
        let line = self.line_index(span.file, start).unwrap_or(0);
        let line_start = self.line_starts(span.file).get(line).copied().unwrap_or(0);
        let column = self.text(span.file)[line_start..start].chars().count();
        format!("{}:{}:{}", self.sources.file(span.file).name, line + 1, column + 1)
    }

    /// A span whose line can be shown.
    fn quotable(&self, span: Span) -> bool {
        let range = self.range(span);
        let starts = self.line_starts(span.file);
        let text = self.text(span.file);
        [range.start, range.end].iter().all(|at| {
            let line = starts.partition_point(|s| s <= at).saturating_sub(1);
            let end = starts.get(line + 1).copied().unwrap_or(text.len());
            end - starts.get(line).copied().unwrap_or(0) <= MAX_QUOTED
        })
    }

    fn emit(&self, out: &mut termcolor::StandardStreamLock<'_>, diagnostic: &Diagnostic) {
        let (severity, code) = match diagnostic.severity {
            Severity::Error => (cs::Severity::Error, None),
            Severity::Warning => (cs::Severity::Warning, None),
            Severity::Unsupported => (cs::Severity::Warning, Some("unsupported")),
        };
        let mut shown = cs::Diagnostic::new(severity).with_message(&diagnostic.message);
        if let Some(code) = code {
            shown = shown.with_code(code);
        }
        match diagnostic.span {
            Some(span) if self.quotable(span) => {
                shown = shown.with_labels(vec![cs::Label::primary(span.file, self.range(span))]);
            }
            Some(span) => shown = shown.with_notes(vec![format!("at {}", self.location_text(span))]),
            None => {}
        }
        for label in &diagnostic.labels {
            if self.quotable(label.span) {
                let range = self.range(label.span);
                let secondary = cs::Label::secondary(label.span.file, range).with_message(&label.text);
                shown.labels.push(secondary);
            } else {
                shown.notes.push(format!("{} at {}", label.text, self.location_text(label.span)));
            }
        }
        if let Some(help) = &diagnostic.help {
            shown = shown.with_notes(vec![format!("help: {help}")]);
        }
        let config = term::Config::default();
        if term::emit_to_write_style(out, &config, self, &shown).is_err() {
            let _ = writeln!(out, "error: {}", diagnostic.message);
        }
    }
}

impl<'a> Files<'a> for SourceFiles<'a> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<&'a str, FilesError> {
        Ok(&self.sources.file(id).name)
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, FilesError> {
        Ok(self.text(id))
    }

    fn line_index(&self, id: FileId, byte_index: usize) -> Result<usize, FilesError> {
        Ok(self.line_starts(id).partition_point(|start| *start <= byte_index).saturating_sub(1))
    }

    fn line_range(&self, id: FileId, line_index: usize) -> Result<Range<usize>, FilesError> {
        let starts = self.line_starts(id);
        let max = starts.len();
        let start =
            starts.get(line_index).copied().ok_or(FilesError::LineTooLarge { given: line_index, max })?;
        Ok(start..starts.get(line_index + 1).copied().unwrap_or(self.text(id).len()))
    }
}
