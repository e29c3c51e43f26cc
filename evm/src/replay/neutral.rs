//! Copies of the sources in which some assertions do not stop the run.

use std::collections::{BTreeMap, BTreeSet};

use hornet_ir::span::{SourceMap, Span};

const ASSERT: &str = "assert";

/// `assert(cond)` becomes `(cond)`, which computes the same and does nothing with it. Nothing moves: blanks take the
/// place of the word. Spans that are no such calls cannot be changed: `None`.
pub fn neutralised(sources: &SourceMap, assertions: &BTreeSet<Span>) -> Option<BTreeMap<String, String>> {
    let mut texts: Vec<String> = sources.files().map(|(_, file)| file.text.clone()).collect();
    for span in assertions {
        let text = texts.get_mut(span.file.0 as usize)?;
        let (start, end) = (span.start as usize, span.start as usize + ASSERT.len());
        if text.get(start..end) != Some(ASSERT) {
            return None;
        }
        text.replace_range(start..end, &" ".repeat(ASSERT.len()));
    }
    Some(sources.files().map(|(_, file)| file.name.clone()).zip(texts).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves() {
        let mut sources = SourceMap::default();
        let text = "contract C { function f(int x) public { assert(x > 0); } }";
        let file = sources.add("c.sol", text);
        let start = text.find("assert").unwrap();
        let span = Span::new(file, start, start + "assert(x > 0)".len());
        let changed = neutralised(&sources, &BTreeSet::from([span])).unwrap();
        assert_eq!(changed["c.sol"], text.replace("assert", "      "));
        let wrong = Span::new(file, start + 1, start + 5);
        assert!(neutralised(&sources, &BTreeSet::from([wrong])).is_none());
    }
}
