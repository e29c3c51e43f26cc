//! Solidity text to a tree. The tree is solang-parser's; what that parser does not know is bridged by an
//! offset-preserving edit of the text before it (`prescan`) and a walk of the tree after it (`normalise`), so
//! every place in the tree is a place in the user's file and every name is the user's.

mod annotation;
mod cursor;
mod depth;
mod docs;
mod errors;
pub mod limits;
mod normalise;
mod normalise_expr;
pub mod pragma;
mod prescan;

use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{FileId, SourceMap, Span};
use solang_parser::pt::{
    Comment, ContractDefinition, Expression, Loc, SourceUnit, SourceUnitPart, StorageType, VariableAttribute,
    VariableDefinition,
};

pub use annotation::{Annotation, Case, Form, Quantifier, Range, SpecExpr};
pub use docs::DocComment;
pub use limits::with_big_stack;
pub use pragma::{AbiCoder, Pragma, PragmaKind};

use crate::source::{VersionReq, newest_matching};
use crate::version::Version;

/// One parsed source. Pragmas are not in `unit`; they are in `pragmas`.
#[derive(Debug)]
pub struct ParsedFile {
    pub file: FileId,
    pub unit: SourceUnit,
    pub comments: Vec<Comment>,
    pub pragmas: Vec<Pragma>,
    /// The language version the text was read as.
    pub version: Version,
    /// For each import directive of `unit`, in order, the file it means; filled in by the loader (`None`: not
    /// found, and reported).
    pub imports: Vec<Option<FileId>>,
    /// `EXPR` of each `layout at EXPR`, in source order.
    pub(crate) layouts: Vec<(Span, Expression)>,
    pub(crate) docs: docs::DocIndex,
    /// By the offset of the token they stand before.
    pub(crate) annotations: Vec<(usize, Vec<Annotation>)>,
}

impl ParsedFile {
    /// What stands in for a file that could not be parsed.
    pub fn empty(file: FileId) -> Self {
        ParsedFile {
            file,
            unit: SourceUnit(Vec::new()),
            comments: Vec::new(),
            pragmas: Vec::new(),
            version: Version::NEWEST,
            imports: Vec::new(),
            layouts: Vec::new(),
            docs: docs::DocIndex::default(),
            annotations: Vec::new(),
        }
    }

    pub fn version_reqs(&self) -> impl Iterator<Item = &VersionReq> + Clone {
        self.pragmas.iter().filter_map(Pragma::version_req)
    }

    /// From the pragma, else the version's default.
    pub fn abicoder(&self) -> AbiCoder {
        let stated = self.pragmas.iter().rev().find_map(|p| match p.kind {
            PragmaKind::AbiCoder(coder) => Some(coder),
            PragmaKind::Solidity(_) | PragmaKind::Experimental => None,
        });
        stated.unwrap_or(if self.version.abi_v2_default() { AbiCoder::V2 } else { AbiCoder::V1 })
    }

    pub fn abi_v2(&self) -> bool {
        self.abicoder() == AbiCoder::V2
    }

    /// The doc comments between the token before `offset` (the start of a declaration or statement) and `offset`.
    pub fn doc_before(&self, offset: usize) -> Vec<DocComment> {
        self.docs.before(self.file, &self.comments, offset)
    }

    /// The annotations in those comments.
    pub fn annotations_before(&self, offset: usize) -> &[Annotation] {
        match self.annotations.binary_search_by_key(&offset, |(at, _)| *at) {
            Ok(i) => &self.annotations[i].1,
            Err(_) => &[],
        }
    }

    /// The base slot given by `layout at EXPR` in the contract's header.
    pub fn layout_of(&self, contract: &ContractDefinition) -> Option<&Expression> {
        let (start, end) = loc_range(&contract.loc)?;
        let inside = |span: &Span| start <= span.start as usize && (span.end as usize) <= end;
        self.layouts.iter().find(|(span, _)| inside(span)).map(|(_, expr)| expr)
    }
}

/// Whether a state variable is declared `transient`.
pub fn is_transient(variable: &VariableDefinition) -> bool {
    let transient =
        |attr: &VariableAttribute| matches!(attr, VariableAttribute::StorageType(StorageType::Temporary(_)));
    variable.attrs.iter().any(transient)
}

/// The parser's place as ours.
pub fn span_of(loc: &Loc) -> Span {
    match *loc {
        Loc::File(file, start, end) => Span::new(FileId(file as u32), start.min(end), end),
        Loc::Builtin | Loc::CommandLine | Loc::Implicit | Loc::Codegen => Span::new(FileId(0), 0, 0),
    }
}

pub(crate) fn loc_range(loc: &Loc) -> Option<(usize, usize)> {
    match *loc {
        Loc::File(_, start, end) => Some((start, end)),
        Loc::Builtin | Loc::CommandLine | Loc::Implicit | Loc::Codegen => None,
    }
}

/// Parses a file in the newest version its own pragmas admit.
pub fn parse_file(map: &SourceMap, file: FileId) -> Result<ParsedFile, Vec<Diagnostic>> {
    parse_file_as(map, file, None)
}

/// Parses a file in a version decided elsewhere, for instance by the pragmas of the files it is compiled with.
pub fn parse_file_as(
    map: &SourceMap,
    file: FileId,
    version: Option<Version>,
) -> Result<ParsedFile, Vec<Diagnostic>> {
    let text = &map.file(file).text;
    if text.len() as u64 > limits::MAX_SOURCE_BYTES {
        let message = format!("the file is larger than {} MB", limits::MAX_SOURCE_BYTES >> 20);
        return Err(vec![Diagnostic::error(Span::new(file, 0, 0), message)]);
    }
    let facts = prescan::prescan(file, text, version)?;
    let version = match version {
        Some(version) => version,
        None => own_version(&facts.pragmas)?,
    };
    let edited = prescan::edited(text, &facts.edits);
    let (mut unit, comments) = parse_text(file, text, edited.as_deref().unwrap_or(text))?;
    let mut normaliser =
        normalise::Normaliser { text, facts: &facts, comments: &comments, version, errors: Vec::new() };
    normaliser.unit(&mut unit);
    let mut layouts = Vec::new();
    for &(start, end) in &facts.layouts {
        let mut expr = parse_expression_at(file, text, start, end)?;
        normaliser.expr(&mut expr);
        layouts.push((Span::new(file, start, end), expr));
    }
    let errors = normaliser.errors;
    if !errors.is_empty() {
        return Err(errors);
    }
    let docs = docs::DocIndex::new(text, &comments);
    let annotations = docs.annotations(file, text, &comments, version);
    Ok(ParsedFile {
        file,
        unit,
        comments,
        pragmas: facts.pragmas,
        version,
        imports: Vec::new(),
        layouts,
        docs,
        annotations,
    })
}

/// The pragmas of a file that need not parse.
pub fn pragmas_of(map: &SourceMap, file: FileId) -> Vec<Pragma> {
    prescan::pragmas(file, &map.file(file).text)
}

fn own_version(pragmas: &[Pragma]) -> Result<Version, Vec<Diagnostic>> {
    let chosen = newest_matching(pragmas.iter().filter_map(Pragma::version_req));
    chosen.ok_or_else(|| {
        // Each is satisfiable by itself, so there are at least two.
        let mut versions = pragmas.iter().filter(|p| p.version_req().is_some()).rev();
        let mut diagnostic = match versions.next() {
            Some(last) => {
                Diagnostic::error(last.span, "no compiler satisfies all version pragmas of this file")
            }
            None => Diagnostic::unlocated("no compiler satisfies the version pragmas"),
        };
        for other in versions {
            diagnostic = diagnostic.label(other.span, "together with this one");
        }
        vec![diagnostic]
    })
}

type Tree = (SourceUnit, Vec<Comment>);

/// `shown` is the user's text, for messages; `text` is what the parser may read, of the same length.
fn parse_text(file: FileId, shown: &str, text: &str) -> Result<Tree, Vec<Diagnostic>> {
    // The limits keep the parser from known trouble; a panic inside it must still not take the program down.
    let parsed = std::panic::catch_unwind(|| solang_parser::parse(text, file.0 as usize));
    match parsed {
        Ok(Ok(tree)) => Ok(tree),
        Ok(Err(found)) => Err(errors::translate(file, shown, found)),
        Err(_) => Err(vec![Diagnostic::error(
            Span::new(file, 0, 0),
            "internal error: the parser failed on this file",
        )]),
    }
}

/// Parses one expression standing at `start..end` of the text, with places in the whole text.
fn parse_expression_at(
    file: FileId,
    text: &str,
    start: usize,
    end: usize,
) -> Result<Expression, Vec<Diagnostic>> {
    const BEFORE: &str = "int x =";
    let padding = " ".repeat(start.saturating_sub(BEFORE.len()));
    let source = format!("{padding}{BEFORE}{};", text.get(start..end).unwrap_or(""));
    let (unit, _) = parse_text(file, text, &source)?;
    match unit.0.into_iter().next() {
        Some(SourceUnitPart::VariableDefinition(definition)) => definition.initializer,
        _ => None,
    }
    .ok_or_else(|| vec![Diagnostic::error(Span::new(file, start, end), "expected an expression")])
}

#[cfg(test)]
mod tests;
