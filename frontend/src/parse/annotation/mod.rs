//! Annotations: what doc comments say about the code after them, as far as syntax goes. They are read with the file,
//! before anybody knows what they stand before; whoever looks at a declaration or a loop takes those before it.
//!
//! An annotation starts at `@notice` or `@custom:hornet` and ends at the next tag or with the comments; so does a
//! budget at `@custom:gas`. Of `@notice`
//! texts only those that begin with one of our words are ours; see [`form`] for which of them may still be prose.

mod form;
mod piece;
mod quantifier;
mod shift;
mod text;

#[cfg(test)]
mod tests;

use super::docs::DocComment;
use crate::hir::GasBudget;
use crate::version::Version;
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{FileId, Span};
use solang_parser::pt;

#[derive(Debug)]
pub struct Annotation {
    /// From the word that says what it is to the end of its text.
    pub span: Span,
    /// That word.
    pub keyword: &'static str,
    /// An annotation that cannot be read is an error where annotations count.
    pub form: Result<Form, Vec<Diagnostic>>,
}

#[derive(Debug)]
pub enum Form {
    Invariant(SpecExpr),
    Precondition(SpecExpr),
    Postcondition(SpecExpr),
    /// `target` is `None` for `modifies *`.
    Modifies {
        target: Option<Box<SpecExpr>>,
        cond: Option<Box<SpecExpr>>,
        text: String,
    },
    Emits(SpecExpr),
    /// `specification [ case C: E; … ]`
    Cases(Vec<Case>),
    ContractInvariants,
    SucceedsIf(SpecExpr),
    RevertsIf(SpecExpr),
    Tracks(SpecExpr),
    AllowNoChange,
    Gas(GasBudget),
}

#[derive(Debug)]
pub struct Case {
    pub cond: SpecExpr,
    pub then: SpecExpr,
    pub span: Span,
    pub text: String,
}

/// An expression of the annotation language: Solidity, in which the words `forall`, `exists` and `property` at certain
/// places stand for whole quantified expressions.
#[derive(Debug)]
pub struct SpecExpr {
    pub expr: pt::Expression,
    /// Of all levels, by where their words stand.
    pub quantifiers: Vec<Quantifier>,
    pub span: Span,
    /// The user's characters, white space and comment markers as single spaces.
    pub text: String,
}

#[derive(Debug)]
pub struct Quantifier {
    /// Where the word stands: in the tree a name at this place means the quantifier.
    pub at: u32,
    /// The end of the body.
    pub end: u32,
    pub range: Range,
    pub vars: Vec<pt::Identifier>,
    pub body: pt::Expression,
}

#[derive(Debug)]
pub enum Range {
    /// `forall (T x, …) E`, a type for each variable.
    Forall(Vec<pt::Expression>),
    Exists(Vec<pt::Expression>),
    /// `property(a) (i, …) E`: for all indices of the array.
    Property(pt::Expression),
}

/// The annotations in comments that follow each other.
pub(super) fn read(file: FileId, source: &str, docs: &[DocComment], version: Version) -> Vec<Annotation> {
    let mentioned = docs.iter().any(|doc| {
        let text = source.get(doc.text_span.start as usize..doc.text_span.end as usize).unwrap_or("");
        text::TAGS.iter().any(|(tag, _)| text.contains(tag))
    });
    if !mentioned {
        return Vec::new();
    }
    let clean = text::CleanText::new(file, source, docs);
    clean.tagged().into_iter().filter_map(|tagged| form::read(&clean, tagged, version)).collect()
}
