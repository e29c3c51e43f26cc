//! Something to show at its place in the source: a title, the quoted lines with labels, notes below.

use crate::sources::SourceFiles;
use crate::style::{Ink, RESET, Screen};
use codespan_reporting::diagnostic as cs;
use codespan_reporting::term::{self, WriteStyle};
use hornet_ir::span::Span;
use std::io::{Result as IoResult, Write};
use textwrap::WordSplitter;

/// Of notes below the quoted lines: the line numbers, ` = `.
pub const NOTE_INDENT: usize = 8;
/// Nobody reads less than that.
const NARROWEST: usize = 30;

/// The word before the colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Title {
    Error,
    Warning,
    /// A warning about code that is not modelled.
    NotModelled,
    Violated,
    Unknown,
    Unsupported,
}

impl Title {
    fn word(self) -> &'static str {
        match self {
            Title::Error => "error",
            Title::Warning => "warning",
            Title::NotModelled => "warning[unsupported]",
            Title::Violated => "violated",
            Title::Unknown => "unknown",
            Title::Unsupported => "unsupported",
        }
    }

    fn ink(self) -> Ink {
        match self {
            Title::Error | Title::Violated => Ink::Bad,
            Title::Warning | Title::NotModelled | Title::Unknown | Title::Unsupported => Ink::Caution,
        }
    }
}

pub struct Finding {
    pub title: Title,
    pub message: String,
    /// Where, and a few words (possibly none) under each.
    pub places: Vec<(Span, String)>,
    /// Other places that explain it.
    pub labels: Vec<(Span, String)>,
    /// Below the quoted lines; may have several lines each.
    pub notes: Vec<String>,
}

impl Finding {
    pub fn new(title: Title, message: impl Into<String>) -> Self {
        Finding { title, message: message.into(), places: Vec::new(), labels: Vec::new(), notes: Vec::new() }
    }

    /// The finding as text, ending in an empty line.
    pub fn render(&self, files: &SourceFiles<'_>, screen: Screen) -> String {
        let mut shown = cs::Diagnostic::error().with_message(&self.message);
        let main = self.places.iter().map(|(span, text)| (cs::LabelStyle::Primary, *span, text));
        let others = self.labels.iter().map(|(span, text)| (cs::LabelStyle::Secondary, *span, text));
        for (style, span, text) in main.chain(others) {
            if files.quotable(span) {
                let range = files.range(span);
                shown.labels.push(cs::Label::new(style, span.file, range).with_message(text));
            } else {
                let at = format!("{text} at {}", files.location_text(span));
                shown.notes.push(at.trim_start().to_owned());
            }
        }
        shown.notes.extend(self.notes.iter().cloned());
        for note in &mut shown.notes {
            *note = fitted(note, screen.width);
        }
        let mut out = Styled { text: Vec::new(), title: self.title, colour: screen.colour, in_title: false };
        if term::emit_to_write_style(&mut out, &term::Config::default(), files, &shown).is_err() {
            return format!("{}: {}\n\n", self.title.word(), self.message);
        }
        String::from_utf8_lossy(&out.text).into_owned()
    }
}

/// A note in lines that fit beside its bullet. What goes on in another line is set in, as far as codespan sets in notes
/// and then a little more.
fn fitted(note: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return note.to_owned() };
    let room = width.saturating_sub(NOTE_INDENT).max(NARROWEST);
    let line = |line: &str| {
        let indent = line.len() - line.trim_start().len() + 2;
        let indent = " ".repeat(indent);
        let options = textwrap::Options::new(room).subsequent_indent(&indent).break_words(false);
        textwrap::wrap(line, options.word_splitter(WordSplitter::NoHyphenation)).join("\n")
    };
    note.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Takes codespan's output with our words and colours: codespan knows neither verdicts nor other titles than its own.
struct Styled {
    text: Vec<u8>,
    title: Title,
    colour: bool,
    /// Codespan is writing its word for the severity, which ours replaced.
    in_title: bool,
}

impl Styled {
    fn switch(&mut self, code: &str) -> IoResult<()> {
        if self.colour {
            self.text.extend_from_slice(code.as_bytes());
        }
        Ok(())
    }
}

impl Write for Styled {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        if !self.in_title {
            self.text.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> IoResult<()> {
        Ok(())
    }
}

impl WriteStyle for Styled {
    fn set_header(&mut self, _: cs::Severity) -> IoResult<()> {
        self.switch(Ink::Strong.code())?;
        self.switch(self.title.ink().code())?;
        self.text.extend_from_slice(self.title.word().as_bytes());
        self.in_title = true;
        self.switch(RESET)
    }

    fn set_header_message(&mut self) -> IoResult<()> {
        self.in_title = false;
        self.switch(Ink::Strong.code())
    }

    fn set_line_number(&mut self) -> IoResult<()> {
        self.switch(Ink::Quote.code())
    }

    fn set_note_bullet(&mut self) -> IoResult<()> {
        self.switch(Ink::Quote.code())
    }

    fn set_source_border(&mut self) -> IoResult<()> {
        self.switch(Ink::Quote.code())
    }

    fn set_label(&mut self, _: cs::Severity, style: cs::LabelStyle) -> IoResult<()> {
        let ink = match style {
            cs::LabelStyle::Primary => self.title.ink(),
            cs::LabelStyle::Secondary => Ink::Quote,
        };
        self.switch(ink.code())
    }

    fn reset(&mut self) -> IoResult<()> {
        self.switch(RESET)
    }
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn notes_fit_the_screen_and_keep_their_lines() {
        let note = "1. f(1)   from 0x0a\n   → a = 1\nnot decided: nobody knows whether it can be so";
        assert_eq!(fitted(note, None), note);
        let narrow = "1. f(1)   from 0x0a\n   → a = 1\nnot decided: nobody knows\n  whether it can be so";
        assert_eq!(fitted(note, Some(38)), narrow);
    }
}
