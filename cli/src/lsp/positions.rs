//! From bytes to lines and columns, in the units that the editor counts in, and back.

use crate::sources::character_at;
use line_index::{LineCol, LineIndex, TextSize, WideEncoding, WideLineCol};
use lsp_types::{Position, PositionEncodingKind, Range as LspRange};
use std::ops::Range;

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// Bytes are what we count ourselves; UTF-16 is what every editor knows.
    pub fn agreed(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        let bytes = offered.is_some_and(|kinds| kinds.contains(&PositionEncodingKind::UTF8));
        if bytes { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// The lines of a text.
pub struct Lines<'t> {
    text: &'t str,
    index: LineIndex,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str, encoding: Encoding) -> Lines<'t> {
        Lines { text, index: LineIndex::new(text), encoding }
    }

    /// Of the character at or before a byte of the text.
    pub fn position(&self, offset: usize) -> Position {
        let offset = character_at(self.text, offset);
        let place = u32::try_from(offset).ok().and_then(|at| self.index.try_line_col(TextSize::from(at)));
        let wide = |place: LineCol| match self.encoding {
            Encoding::Utf8 => Some(Position::new(place.line, place.col)),
            Encoding::Utf16 => {
                let place = self.index.to_wide(WideEncoding::Utf16, place)?;
                Some(Position::new(place.line, place.col))
            }
        };
        place.and_then(wide).unwrap_or_default()
    }

    pub fn range(&self, bytes: &Range<usize>) -> LspRange {
        LspRange::new(self.position(bytes.start), self.position(bytes.end))
    }

    /// As [`Lines::range`], to the end of its first line.
    pub fn first_line(&self, bytes: &Range<usize>) -> LspRange {
        let covered = self.text.get(bytes.clone()).unwrap_or_default();
        let length = covered.lines().next().map_or(0, str::len);
        self.range(&(bytes.start..bytes.start + length))
    }

    /// The byte at a position; beyond the end of a line is its end, beyond the last line the end of the text.
    pub fn offset(&self, position: Position) -> usize {
        let Some(line) = self.index.line(position.line) else { return self.text.len() };
        let (start, end) = (usize::from(line.start()), usize::from(line.end()));
        let content = self.text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        let place = match self.encoding {
            Encoding::Utf8 => Some(LineCol { line: position.line, col: position.character }),
            Encoding::Utf16 => {
                let wide = WideLineCol { line: position.line, col: position.character };
                self.index.to_utf8(WideEncoding::Utf16, wide)
            }
        };
        let column = place.map_or(usize::MAX, |place| place.col as usize).min(content.len());
        start + character_at(content, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\u{e4}\u{1f41d}b\r\nlast";

    #[test]
    fn columns_in_both_units() {
        let bee = TEXT.find('\u{1f41d}').unwrap();
        for (encoding, before, after) in [(Encoding::Utf16, 2, 4), (Encoding::Utf8, 3, 7)] {
            let lines = Lines::new(TEXT, encoding);
            assert_eq!(
                lines.range(&(bee..bee + 4)),
                LspRange::new(Position::new(0, before), Position::new(0, after))
            );
            assert_eq!(lines.offset(Position::new(0, after)), bee + 4);
            for (offset, _) in TEXT.char_indices().filter(|(_, c)| *c != '\n') {
                assert_eq!(lines.offset(lines.position(offset)), offset, "{encoding:?}");
            }
        }
    }

    #[test]
    fn what_is_outside_is_moved_inside() {
        let lines = Lines::new(TEXT, Encoding::Utf16);
        assert_eq!(lines.offset(Position::new(0, 999)), TEXT.find('\r').unwrap());
        assert_eq!(lines.offset(Position::new(7, 0)), TEXT.len());
        assert_eq!(lines.offset(Position::new(1, u32::MAX)), TEXT.len());
        // In the middle of a character.
        assert_eq!(lines.position(2), Position::new(0, 1));
        assert_eq!(lines.position(usize::MAX), Position::new(1, 4));
        assert_eq!(lines.first_line(&(0..TEXT.len())).end, Position::new(0, 5));
    }
}
