//! One piece of Solidity inside a comment, parsed where it stands.

use super::super::normalise::Normaliser;
use super::super::{loc_range, parse_text, prescan};
use super::shift::shift_expression;
use crate::version::Version;
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{FileId, Span};
use solang_parser::pt::{Expression, SourceUnitPart};

/// What makes an expression a file.
const BEFORE: &str = "int x=";

/// Parses an expression whose first character stands at `offset` of the file.
pub(super) fn parse(
    file: FileId,
    text: &str,
    offset: usize,
    version: Version,
) -> Result<Expression, Vec<Diagnostic>> {
    let place = Placement { file, offset, length: text.len() };
    let source = format!("{BEFORE}{text};");
    let facts = prescan::prescan(file, &source, Some(version)).map_err(|found| place.errors(found))?;
    let edited = prescan::edited(&source, &facts.edits);
    let (unit, comments) = parse_text(file, &source, edited.as_deref().unwrap_or(&source))
        .map_err(|found| place.errors(found))?;
    let mut parts = unit.0.into_iter();
    let definition = match parts.next() {
        Some(SourceUnitPart::VariableDefinition(definition)) => definition,
        _ => return Err(place.error(0, text.len(), "expected an expression")),
    };
    let end = loc_range(&definition.loc).map_or(0, |(_, end)| end);
    if parts.next().is_some() || end < BEFORE.len() + text.trim_end().len() {
        let at = end.saturating_sub(BEFORE.len()).min(text.len());
        return Err(place.error(at, text.len(), "expected the end of the annotation"));
    }
    let Some(mut expr) = definition.initializer else {
        return Err(place.error(0, text.len(), "expected an expression"));
    };
    let mut normaliser =
        Normaliser { text: &source, facts: &facts, comments: &comments, version, errors: Vec::new() };
    normaliser.expr(&mut expr);
    if !normaliser.errors.is_empty() {
        return Err(place.errors(normaliser.errors));
    }
    let by = offset as isize - BEFORE.len() as isize;
    shift_expression(&mut expr, by).map_err(|(start, end, message)| {
        let (start, end) = (start.saturating_sub(BEFORE.len()), end.saturating_sub(BEFORE.len()));
        place.error(start, end, message)
    })?;
    Ok(expr)
}

/// Where a piece stands in the user's file.
struct Placement {
    file: FileId,
    offset: usize,
    length: usize,
}

impl Placement {
    fn error(&self, start: usize, end: usize, message: &str) -> Vec<Diagnostic> {
        let span =
            Span::new(self.file, self.offset + start.min(self.length), self.offset + end.min(self.length));
        vec![Diagnostic::error(span, message)]
    }

    /// Findings about the piece as a file, as findings about the user's file: the first one, since others mostly echo it.
    fn errors(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let Some(first) = found.into_iter().next() else {
            return self.error(0, self.length, "this annotation cannot be read");
        };
        let local = |at: u32| (at as usize).saturating_sub(BEFORE.len());
        match first.span {
            Some(span) if local(span.start) < self.length => {
                self.error(local(span.start), local(span.end), &first.message)
            }
            _ => {
                let end = self.length;
                self.error(end.saturating_sub(1), end, "the annotation ends too early after this")
            }
        }
    }
}
