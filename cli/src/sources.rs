//! Places in the user's files: lines, columns, and whether they can be quoted.

use codespan_reporting::files::{Error as FilesError, Files, line_starts};
use hornet_ir::span::{FileId, SourceMap, Span};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Source lines longer than this are not quoted (minified or generated files).
const MAX_QUOTED: usize = 400;

pub struct SourceFiles<'a> {
    sources: &'a SourceMap,
    /// Line starts of the files asked about.
    lines: RefCell<HashMap<FileId, Rc<Vec<usize>>>>,
    /// The folder that paths are told from.
    here: Option<PathBuf>,
}

/// Where a span begins, counted from 1, in characters.
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// Where the character begins that a byte belongs to; the end of the text for anything beyond.
pub fn character_at(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The path without `./`, and without the folder if it is below that.
fn from<'n>(folder: &Path, name: &'n str) -> &'n str {
    let below = folder.to_str().and_then(|folder| name.strip_prefix(folder)?.strip_prefix('/'));
    let mut short = below.unwrap_or(name);
    while let Some(rest) = short.strip_prefix("./") {
        short = rest.trim_start_matches('/');
    }
    if short.is_empty() { name } else { short }
}

impl<'a> SourceFiles<'a> {
    pub fn new(sources: &'a SourceMap) -> Self {
        let here = std::env::current_dir().ok();
        SourceFiles { here, ..SourceFiles::under_their_names(sources) }
    }

    /// For a tool that knows the files by the names that it gave them.
    pub fn under_their_names(sources: &'a SourceMap) -> Self {
        SourceFiles { sources, lines: RefCell::default(), here: None }
    }

    fn line_starts(&self, id: FileId) -> Rc<Vec<usize>> {
        let mut lines = self.lines.borrow_mut();
        let starts = lines.entry(id).or_insert_with(|| Rc::new(line_starts(self.text(id)).collect()));
        starts.clone()
    }

    pub fn text(&self, id: FileId) -> &'a str {
        if (id.0 as usize) < self.sources.files().count() { &self.sources.file(id).text } else { "" }
    }

    /// From the current folder, for what is below it.
    pub fn file_name(&self, id: FileId) -> &'a str {
        let name = self.sources.file(id).name.as_str();
        self.here.as_ref().map_or(name, |here| from(here, name))
    }

    /// The range within the file and on character boundaries, whatever the span says.
    pub fn range(&self, span: Span) -> Range<usize> {
        let text = self.text(span.file);
        let floor = |at: u32| character_at(text, at as usize);
        let start = floor(span.start);
        start..floor(span.end).max(start)
    }

    pub fn position(&self, span: Span) -> Position {
        let start = self.range(span).start;
        let line = self.line_of(span.file, start);
        let line_start = self.line_starts(span.file).get(line).copied().unwrap_or(0);
        let column = self.text(span.file)[line_start..start].chars().count();
        Position { line: line + 1, column: column + 1 }
    }

    /// Where a span ends: one after its last character.
    pub fn end_position(&self, span: Span) -> Position {
        let end = self.range(span).end as u32;
        self.position(Span { start: end, ..span })
    }

    /// The characters of a span.
    pub fn quoted(&self, span: Span) -> &'a str {
        &self.text(span.file)[self.range(span)]
    }

    /// `file:line:column` of a span's start.
    pub fn location_text(&self, span: Span) -> String {
        let Position { line, column } = self.position(span);
        format!("{}:{line}:{column}", self.file_name(span.file))
    }

    /// As much of the span as is on its first line: of a whole function, its header.
    pub fn first_line(&self, span: Span) -> Span {
        let range = self.range(span);
        let text = &self.text(span.file)[range.clone()];
        let line = text.lines().next().unwrap_or("").trim_end();
        if line.len() == text.len() {
            span
        } else {
            Span::new(span.file, range.start, range.start + line.len())
        }
    }

    /// A span whose line can be shown.
    pub fn quotable(&self, span: Span) -> bool {
        let range = self.range(span);
        let starts = self.line_starts(span.file);
        let text = self.text(span.file);
        [range.start, range.end].iter().all(|at| {
            let line = starts.partition_point(|s| s <= at).saturating_sub(1);
            let end = starts.get(line + 1).copied().unwrap_or(text.len());
            end - starts.get(line).copied().unwrap_or(0) <= MAX_QUOTED
        })
    }

    fn line_of(&self, id: FileId, byte_index: usize) -> usize {
        self.line_starts(id).partition_point(|start| *start <= byte_index).saturating_sub(1)
    }
}

impl<'a> Files<'a> for SourceFiles<'a> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<&'a str, FilesError> {
        Ok(self.file_name(id))
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, FilesError> {
        Ok(self.text(id))
    }

    fn line_index(&self, id: FileId, byte_index: usize) -> Result<usize, FilesError> {
        Ok(self.line_of(id, byte_index))
    }

    fn line_range(&self, id: FileId, line_index: usize) -> Result<Range<usize>, FilesError> {
        let starts = self.line_starts(id);
        let max = starts.len();
        let start =
            starts.get(line_index).copied().ok_or(FilesError::LineTooLarge { given: line_index, max })?;
        Ok(start..starts.get(line_index + 1).copied().unwrap_or(self.text(id).len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_the_current_folder() {
        let told = |name| from(Path::new("/work/bank"), name);
        assert_eq!(told("/work/bank/lib/x/T.sol"), "lib/x/T.sol");
        assert_eq!(told("./src/A.sol"), "src/A.sol");
        assert_eq!(told("src/A.sol"), "src/A.sol");
        assert_eq!(told("/work/banker/A.sol"), "/work/banker/A.sol");
        assert_eq!(told("../A.sol"), "../A.sol");
    }
}
