//! The files that are open in the editor, as they are there.

use super::positions::{Encoding, Lines};
use lsp_types::{TextDocumentContentChangeEvent, Url};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Document {
    /// As the editor writes it.
    pub url: Url,
    pub version: i32,
    pub text: Arc<str>,
}

/// By their paths, with links followed.
#[derive(Default)]
pub struct Documents(BTreeMap<PathBuf, Document>);

/// Where a document is; `None` if it is no file.
pub fn path_of(url: &Url) -> Option<PathBuf> {
    let path = url.to_file_path().ok()?;
    Some(canonical(&path))
}

/// What is not there yet is called as it will be.
pub fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

impl Documents {
    pub fn open(&mut self, path: PathBuf, document: Document) {
        self.0.insert(path, document);
    }

    /// Changes come one after the other; one without a range is a whole new text.
    pub fn change(
        &mut self,
        path: &Path,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        let Some(document) = self.0.get_mut(path) else { return };
        let mut text = document.text.to_string();
        for change in changes {
            match change.range {
                Some(range) => {
                    let lines = Lines::new(&text, encoding);
                    let (start, end) = (lines.offset(range.start), lines.offset(range.end));
                    text.replace_range(start..end.max(start), &change.text);
                }
                None => text = change.text,
            }
        }
        document.text = text.into();
        document.version = version;
    }

    pub fn close(&mut self, path: &Path) {
        self.0.remove(path);
    }

    pub fn get(&self, path: &Path) -> Option<&Document> {
        self.0.get(path)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&PathBuf, &Document)> {
        self.0.iter()
    }

    /// How to call a file to the editor.
    pub fn url(&self, path: &Path) -> Option<Url> {
        match self.get(path) {
            Some(document) => Some(document.url.clone()),
            None => Url::from_file_path(path).ok(),
        }
    }

    /// What everybody would read: the texts here instead of those on disk.
    pub fn texts(&self) -> BTreeMap<PathBuf, Arc<str>> {
        self.iter().map(|(path, document)| (path.clone(), document.text.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    #[test]
    fn changes_in_their_order() {
        let mut documents = Documents::default();
        let (path, url) = (PathBuf::from("/x.sol"), Url::parse("file:///x.sol").unwrap());
        documents.open(path.clone(), Document { url, version: 1, text: "\u{1f41d} ab\ncd".into() });
        let change = |from: (u32, u32), to: (u32, u32), text: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1))),
            range_length: None,
            text: text.to_owned(),
        };
        let changes =
            vec![change((0, 3), (0, 4), "xyz"), change((0, 5), (1, 1), "-"), change((9, 9), (9, 9), "!")];
        documents.change(&path, 2, changes, Encoding::Utf16);
        assert_eq!(&*documents.get(&path).unwrap().text, "\u{1f41d} xy-d!");
        // Back to front: nonsense, but no reason to end.
        documents.change(&path, 3, vec![change((0, 4), (0, 1), "")], Encoding::Utf16);
        let whole = TextDocumentContentChangeEvent { range: None, range_length: None, text: "new".into() };
        documents.change(&path, 4, vec![whole], Encoding::Utf16);
        assert_eq!((&*documents.get(&path).unwrap().text, documents.get(&path).unwrap().version), ("new", 4));
    }
}
