//! The text of comments without their markers, every character at its own distance from the start.

use super::super::docs::DocComment;
use hornet_ir::span::{FileId, Span};

pub(super) struct CleanText {
    pub file: FileId,
    /// Where in the file the text starts.
    pub base: usize,
    /// Markers and whatever stands between the comments are spaces.
    pub text: String,
}

/// What follows a tag, up to the next.
#[derive(Clone, Copy)]
pub(super) struct Tagged {
    pub start: usize,
    pub end: usize,
    pub tag: Tag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    /// What follows may be prose.
    Notice,
    /// Whatever follows is meant for us.
    Ours,
    /// Whatever follows is a budget.
    Gas,
}

pub(super) const TAGS: [(&str, Tag); 3] =
    [("@notice", Tag::Notice), ("@custom:hornet", Tag::Ours), ("@custom:gas", Tag::Gas)];

impl CleanText {
    pub fn new(file: FileId, source: &str, docs: &[DocComment]) -> Self {
        let base = docs.first().map_or(0, |d| d.span.start as usize);
        let mut text = String::new();
        for doc in docs {
            let (start, end) = (doc.text_span.start as usize, doc.text_span.end as usize);
            let gap = source.get(base + text.len()..start).unwrap_or("");
            gap.bytes().for_each(|b| text.push(if b == b'\n' { '\n' } else { ' ' }));
            let inside = source.get(start..end).unwrap_or("");
            for (i, line) in inside.split_inclusive('\n').enumerate() {
                if i == 0 || !doc.is_block {
                    text.push_str(line);
                } else {
                    push_without_stars(line, &mut text);
                }
            }
        }
        CleanText { file, base, text }
    }

    /// The texts under the tags that may hold annotations.
    pub fn tagged(&self) -> Vec<Tagged> {
        let tags: Vec<usize> = self.tags().collect();
        let mut found = Vec::new();
        for (i, &at) in tags.iter().enumerate() {
            let rest = &self.text[at..];
            let word_end = at + rest.find(char::is_whitespace).unwrap_or(rest.len());
            let word = &self.text[at..word_end];
            let Some((_, tag)) = TAGS.into_iter().find(|(name, _)| *name == word) else { continue };
            let end = tags.get(i + 1).copied().unwrap_or(self.text.len());
            found.push(Tagged { start: word_end, end, tag });
        }
        found
    }

    /// Where an `@` starts a word.
    fn tags(&self) -> impl Iterator<Item = usize> {
        let bytes = self.text.as_bytes();
        self.text.match_indices('@').map(|(at, _)| at).filter(move |&at| {
            let before = at.checked_sub(1).map_or(b' ', |i| bytes[i]);
            let after = bytes.get(at + 1).copied().unwrap_or(b' ');
            before.is_ascii_whitespace() && after.is_ascii_alphabetic()
        })
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.base + start, self.base + end)
    }

    /// The range without white space at its ends.
    pub fn trimmed(&self, start: usize, end: usize) -> (usize, usize) {
        let text = &self.text[start..end];
        let from = start + (text.len() - text.trim_start().len());
        (from, (start + text.trim_end().len()).max(from))
    }

    /// As a message shows it: on one line.
    pub fn shown(&self, start: usize, end: usize) -> String {
        self.text[start..end].split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Lines of a block comment may begin with stars that belong to its frame.
fn push_without_stars(line: &str, text: &mut String) {
    let unindented = line.trim_start_matches([' ', '\t']);
    let rest = unindented.trim_start_matches('*');
    let frame = line.len() - rest.len();
    if rest.len() == unindented.len() {
        text.push_str(line);
    } else {
        (0..frame).for_each(|_| text.push(' '));
        text.push_str(rest);
    }
}
