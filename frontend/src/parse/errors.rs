//! The parser's complaints in a compiler's words: short, at the right place, without lists of forty tokens.

use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{FileId, Span};
use solang_parser::diagnostics::Diagnostic as ParserDiagnostic;

use super::cursor::{Cursor, Kind};
use super::limits::MAX_ERRORS;
use super::loc_range;

pub(super) fn translate(file: FileId, text: &str, found: Vec<ParserDiagnostic>) -> Vec<Diagnostic> {
    let mut found: Vec<_> = found
        .into_iter()
        .map(|d| {
            let (start, end) = loc_range(&d.loc).unwrap_or_default();
            let start = floor_boundary(text, start);
            (start, floor_boundary(text, end.max(start)), d.message)
        })
        .collect();
    found.sort_by_key(|(start, ..)| *start);
    // One mistake often shows as several errors at the same token.
    found.dedup_by_key(|(start, ..)| *start);
    // Brackets are balanced here, so a bracket in the wrong place only echoes the error before it.
    let mut first = true;
    found.retain(|(start, end, _)| std::mem::take(&mut first) || &text[*start..*end] != "}");
    found.truncate(MAX_ERRORS);
    let mut before = TokenBefore { cursor: Cursor { src: text.as_bytes(), pos: 0 }, last_end: 0 };
    found
        .into_iter()
        .map(|(start, end, message)| one(file, text, start, end, &message, &mut before))
        .collect()
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Ends of tokens, for ascending positions in one pass.
struct TokenBefore<'a> {
    cursor: Cursor<'a>,
    last_end: usize,
}

impl TokenBefore<'_> {
    fn end_before(&mut self, pos: usize) -> usize {
        loop {
            let next = self.cursor.peek();
            if next.kind == Kind::End || next.start >= pos {
                return self.last_end;
            }
            self.last_end = next.end;
            self.cursor.pos = next.end;
        }
    }
}

fn one(
    file: FileId,
    text: &str,
    start: usize,
    end: usize,
    message: &str,
    before: &mut TokenBefore<'_>,
) -> Diagnostic {
    if message.starts_with("unexpected end of file") {
        let at = before.end_before(text.len());
        return Diagnostic::error(Span::new(file, at, at), "unexpected end of file");
    }
    let Some(list) = message.strip_prefix("unrecognised token").and_then(|m| m.rsplit_once("', expected "))
    else {
        return Diagnostic::error(Span::new(file, start, end), message);
    };
    let expected: Vec<&str> = list.1.split(", ").collect();
    let previous = before.end_before(start);
    let on_new_line = text.get(previous..start).is_some_and(|gap| gap.contains('\n'));
    if on_new_line && expected.contains(&"\";\"") && previous > 0 {
        return Diagnostic::error(Span::new(file, previous - 1, previous), "expected `;` after this");
    }
    let word = &text[start..end];
    let message = match expected[..] {
        [only] => format!("expected {}, found `{word}`", describe(only)),
        [one, other] => format!("expected {} or {}, found `{word}`", describe(one), describe(other)),
        _ => format!("unexpected `{word}`"),
    };
    Diagnostic::error(Span::new(file, start, end), message)
}

fn describe(terminal: &str) -> String {
    match terminal {
        "identifier" => "a name".to_string(),
        "string" => "a string".to_string(),
        quoted => format!("`{}`", quoted.trim_matches('"')),
    }
}
