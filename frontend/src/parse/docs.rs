//! Doc comments and the declarations they stand before.

use super::annotation::{self, Annotation};
use crate::version::Version;
use hornet_ir::span::{FileId, Span};
use solang_parser::pt::Comment;

/// A `/// …` line or `/** … */` block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DocComment {
    /// The whole comment with its markers.
    pub span: Span,
    /// What stands inside the markers; line breaks and leading `*` of a block are still in it.
    pub text_span: Span,
    pub is_block: bool,
}

/// Comments that follow each other up to the next token.
#[derive(Clone, Copy, Debug)]
struct Run {
    next_token: usize,
    first: usize,
    last: usize,
}

impl Run {
    fn docs(self, file: FileId, comments: &[Comment]) -> impl Iterator<Item = DocComment> {
        let docs = comments[self.first..=self.last].iter().filter(|c| c.is_doc());
        docs.map(move |c| doc_comment(file, c))
    }
}

/// Finds, for a token, the comments directly before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocIndex {
    runs: Vec<Run>,
}

pub(super) fn comment_range(comment: &Comment) -> (usize, usize) {
    let (Comment::Line(loc, _)
    | Comment::Block(loc, _)
    | Comment::DocLine(loc, _)
    | Comment::DocBlock(loc, _)) = comment;
    super::loc_range(loc).unwrap_or_default()
}

impl DocIndex {
    pub fn new(text: &str, comments: &[Comment]) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (i, comment) in comments.iter().enumerate() {
            let (start, end) = comment_range(comment);
            let rest = text.get(end..).unwrap_or("");
            let next_token = end + (rest.len() - rest.trim_start().len());
            match runs.last_mut() {
                Some(run) if run.next_token == start => *run = Run { next_token, last: i, ..*run },
                _ => runs.push(Run { next_token, first: i, last: i }),
            }
        }
        runs.retain(|run| comments[run.first..=run.last].iter().any(Comment::is_doc));
        DocIndex { runs }
    }

    /// What the comments before each token say about it.
    pub fn annotations(
        &self,
        file: FileId,
        text: &str,
        comments: &[Comment],
        version: Version,
    ) -> Vec<(usize, Vec<Annotation>)> {
        let mut found = Vec::new();
        for run in &self.runs {
            let docs: Vec<DocComment> = run.docs(file, comments).collect();
            let annotations = annotation::read(file, text, &docs, version);
            if !annotations.is_empty() {
                found.push((run.next_token, annotations));
            }
        }
        found
    }

    pub fn before(&self, file: FileId, comments: &[Comment], offset: usize) -> Vec<DocComment> {
        let Ok(at) = self.runs.binary_search_by_key(&offset, |run| run.next_token) else { return Vec::new() };
        let run = self.runs[at];
        run.docs(file, comments).collect()
    }
}

fn doc_comment(file: FileId, comment: &Comment) -> DocComment {
    let (start, end) = comment_range(comment);
    let is_block = comment.is_block();
    let text_end = if is_block { end - 2 } else { end };
    DocComment {
        span: Span::new(file, start, end),
        text_span: Span::new(file, (start + 3).min(text_end), text_end),
        is_block,
    }
}
