//! One pass over the raw text before parsing. It finds the syntax the parser does not know and decides for each
//! place an edit of equal length, so that offsets in the tree are offsets in the user's file; it takes out the
//! pragmas, which it reads itself; and it refuses text too deeply nested for recursive passes.

use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{FileId, Span};

use super::cursor::{Cursor, Kind, LexError, Problem, Token};
use super::depth::{Body, Depth, Trouble};
use super::limits::{MAX_BRACKETS, MAX_DEPTH, MAX_ERRORS};
use super::pragma::{self, Pragma};
use crate::source::newest_matching;
use crate::version::Version;

#[derive(Clone, Copy, Debug)]
pub(super) enum Edit {
    /// Spaces over the whole range.
    Blank(usize, usize),
    /// A word the parser reserves though Solidity does not: its first letter becomes `_`.
    Rename(usize),
    Replace(usize, &'static [u8]),
}

/// What the edits hide from the parser; offsets are starts of tokens, ascending.
#[derive(Default, Debug)]
pub(super) struct Facts {
    pub edits: Vec<Edit>,
    pub renamed: Vec<usize>,
    /// The `(` of each `var (a, b) = …`.
    pub var_tuples: Vec<usize>,
    /// `override` and `transient` on variables of function type, as ranges.
    pub overrides: Vec<(usize, usize)>,
    pub transients: Vec<(usize, usize)>,
    /// `EXPR` of each `layout at EXPR`, as ranges.
    pub layouts: Vec<(usize, usize)>,
    pub pragmas: Vec<Pragma>,
}

/// The token before the current one, as far as rules look back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prev<'a> {
    Start,
    Word(&'a [u8]),
    Sign(u8),
    Literal,
}

const UNSIGNED_SHIFT: &[u8] = b">>>";

struct Scan<'a> {
    file: FileId,
    cursor: Cursor<'a>,
    prev: Prev<'a>,
    prev_end: usize,
    depth: Depth,
    facts: Facts,
    errors: Vec<Diagnostic>,
    /// Fixed by the caller, or by the pragmas seen when it first matters.
    version: Option<Version>,
    /// Between `contract` and its `{`.
    header: bool,
    /// Starts of `layout` and of the expression after `at`, while inside it.
    layout: Option<(usize, usize)>,
    /// After `assembly`, before its `{`.
    assembly: bool,
}

/// Scans `text`; `version` overrides what its pragmas say.
pub(super) fn prescan(file: FileId, text: &str, version: Option<Version>) -> Result<Facts, Vec<Diagnostic>> {
    let mut scan = Scan::new(file, text, version);
    scan.run();
    let assumed = scan.version;
    let chosen = version.or_else(|| newest(&scan.facts.pragmas));
    if scan.errors.is_empty() && assumed.is_some() && assumed != chosen {
        // A pragma further down changed the version after a word had been judged by it.
        scan = Scan::new(file, text, chosen);
        scan.run();
    }
    if scan.errors.is_empty() { Ok(scan.facts) } else { Err(scan.errors) }
}

/// The well-formed pragmas of a text, whatever else is wrong with it.
pub(super) fn pragmas(file: FileId, text: &str) -> Vec<Pragma> {
    let mut scan = Scan::new(file, text, None);
    scan.run();
    scan.facts.pragmas
}

fn newest(pragmas: &[Pragma]) -> Option<Version> {
    newest_matching(pragmas.iter().filter_map(Pragma::version_req))
}

impl<'a> Scan<'a> {
    fn new(file: FileId, text: &'a str, version: Option<Version>) -> Self {
        let mut facts = Facts::default();
        let mut cursor = Cursor { src: text.as_bytes(), pos: 0 };
        if text.starts_with('\u{feff}') {
            facts.edits.push(Edit::Blank(0, 3));
            cursor.pos = 3;
        }
        Scan {
            file,
            cursor,
            prev: Prev::Start,
            prev_end: 0,
            depth: Depth::new(),
            facts,
            errors: Vec::new(),
            version,
            header: false,
            layout: None,
            assembly: false,
        }
    }

    fn error(&mut self, start: usize, end: usize, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(Span::new(self.file, start, end), message));
    }

    fn run(&mut self) {
        loop {
            let token = match self.cursor.next() {
                Ok(token) => token,
                Err(error) => {
                    self.lex_error(error);
                    if self.errors.len() >= MAX_ERRORS {
                        return;
                    }
                    continue;
                }
            };
            let fits = match token.kind {
                Kind::End => break,
                Kind::Word => {
                    let word = self.cursor.text(token);
                    let fits = self.depth.word(word, self.prev == Prev::Sign(b'.'));
                    self.word(word, token);
                    // A pragma has been read to its end: what follows starts a declaration.
                    let consumed = word == b"pragma" && self.cursor.pos > token.end;
                    self.prev = if consumed { Prev::Sign(b';') } else { Prev::Word(word) };
                    fits
                }
                Kind::Number | Kind::Text => {
                    self.prev = Prev::Literal;
                    Ok(())
                }
                Kind::Sign(sign) => {
                    let fits = self.sign(sign, token);
                    self.prev = Prev::Sign(sign);
                    fits
                }
            };
            if let Err(trouble) = fits {
                return self.trouble(trouble, token);
            }
            self.prev_end = self.cursor.pos;
        }
        if let Some(open) = self.depth.unclosed()
            && self.errors.is_empty()
        {
            let bracket = char::from(self.cursor.src[open]);
            self.error(open, open + 1, format!("unclosed `{bracket}`"));
        }
    }

    fn lex_error(&mut self, error: LexError) {
        let text = String::from_utf8_lossy(&self.cursor.src[error.start..error.end]).into_owned();
        let message = match error.problem {
            Problem::UnclosedComment => "unclosed comment".to_string(),
            Problem::UnclosedString => "unclosed string".to_string(),
            Problem::Number => format!("`{text}` is not a number"),
            Problem::Character => format!("unexpected character `{}`", text.escape_debug()),
        };
        self.error(error.start, error.end, message);
    }

    fn trouble(&mut self, trouble: Trouble, token: Token) {
        let text = String::from_utf8_lossy(self.cursor.text(token)).into_owned();
        let (message, label) = match trouble {
            Trouble::Brackets => (format!("brackets nested deeper than {MAX_BRACKETS} levels"), None),
            Trouble::Depth => {
                (format!("expression or statement nested deeper than {MAX_DEPTH} levels"), None)
            }
            Trouble::Copies => ("parentheses around too much text".to_string(), None),
            Trouble::Unmatched(open) => (format!("unmatched `{text}`"), open),
        };
        let mut diagnostic = Diagnostic::error(Span::new(self.file, token.start, token.end), message);
        if let Some(open) = label {
            diagnostic = diagnostic.label(Span::new(self.file, open, open + 1), "this bracket is still open");
        }
        self.errors.push(diagnostic);
    }

    fn version(&mut self) -> Version {
        let pragmas = &self.facts.pragmas;
        *self.version.get_or_insert_with(|| newest(pragmas).unwrap_or(Version::NEWEST))
    }

    fn rename(&mut self, start: usize) {
        self.facts.renamed.push(start);
        self.facts.edits.push(Edit::Rename(start));
    }

    fn at_statement_start(&self) -> bool {
        match self.prev {
            Prev::Start | Prev::Word(b"else" | b"do") | Prev::Sign(b'{' | b'}' | b';' | b')') => true,
            Prev::Word(_) | Prev::Sign(_) | Prev::Literal => false,
        }
    }

    fn sign(&mut self, sign: u8, token: Token) -> Result<(), Trouble> {
        match sign {
            b'{' => {
                let body = if self.depth.body() == Body::Yul || std::mem::take(&mut self.assembly) {
                    Body::Yul
                } else if std::mem::take(&mut self.header) {
                    self.end_layout();
                    Body::Contract
                } else {
                    Body::Code
                };
                self.depth.open(sign, token.start, body, false)
            }
            b'(' | b'[' => {
                let groups = sign == b'('
                    && matches!(self.prev, Prev::Sign(before) if !matches!(before, b')' | b']' | b'}'));
                let body = if self.depth.body() == Body::Yul { Body::Yul } else { Body::Code };
                self.depth.open(sign, token.start, body, groups)
            }
            b')' | b']' | b'}' => self.depth.close(sign, token.start),
            b';' => {
                self.assembly = false;
                self.header = false;
                self.depth.sign(sign)
            }
            b'>' if self.cursor.src[token.start..].starts_with(UNSIGNED_SHIFT) => {
                self.unsigned_shift(token.start);
                self.depth.sign(sign)
            }
            _ => self.depth.sign(sign),
        }
    }

    /// Compilers know the token and have no type for it.
    fn unsigned_shift(&mut self, start: usize) {
        let span = Span::new(self.file, start, start + UNSIGNED_SHIFT.len());
        let error = Diagnostic::error(span, "there is no operator `>>>`");
        self.errors.push(error.help("`>>` fills up with zeros if what is shifted is unsigned"));
        self.cursor.pos = start + UNSIGNED_SHIFT.len();
    }

    fn word(&mut self, word: &'a [u8], token: Token) {
        if self.depth.body() == Body::Yul {
            if yul_word_is_reserved(word) {
                self.rename(token.start);
            }
            return;
        }
        match word {
            b"pragma" if self.depth.at_file_level() && self.at_statement_start() => self.pragma(token),
            b"contract" | b"interface" | b"library" if self.depth.at_file_level() => self.header = true,
            b"assembly" => self.assembly = true,
            b"is" if self.layout.is_some() && self.depth.at_file_level() => self.end_layout(),
            b"layout" if self.header => self.layout(token),
            b"function" if self.depth.body() == Body::Contract => self.function(token),
            b"transient" if self.depth.body() == Body::Contract => self.transient(token),
            b"var" if self.depth.body() == Body::Code => self.var(token),
            b"throw" if self.at_statement_start() => self.rename(token.start),
            b"revert" => self.revert(token),
            b"instance" | b"persistent" | b"temporary" => self.rename(token.start),
            b"receive" | b"fallback" | b"virtual" | b"override" | b"immutable" | b"unchecked"
            | b"calldata" | b"emit" | b"constructor" => {
                let named = matches!(self.prev, Prev::Word(b"function") | Prev::Sign(b'.'));
                if named || self.version().is_plain_name(word) {
                    self.rename(token.start);
                }
            }
            _ => (),
        }
    }

    /// Reads `pragma … ;` and takes it out of the text.
    fn pragma(&mut self, token: Token) {
        let mut value = String::new();
        let value_start = token.end;
        loop {
            let before = self.cursor.pos;
            if self.cursor.skip_blank().is_err() || self.cursor.pos >= self.cursor.src.len() {
                self.cursor.pos = token.end;
                return self.error(token.start, token.end, "this pragma does not end with `;`");
            }
            if self.cursor.pos > before {
                value.push(' ');
            }
            // Bytes outside ASCII are carried as single characters: no pragma has any, so the reading fails anyway.
            let byte = self.cursor.src[self.cursor.pos];
            self.cursor.pos += 1;
            if byte == b';' {
                break;
            }
            value.push(char::from(byte));
        }
        let end = self.cursor.pos;
        self.facts.edits.push(Edit::Blank(token.start, end));
        let span = Span::new(self.file, token.start, end);
        let value_span = Span::new(self.file, value_start, end - 1);
        match pragma::read(value.trim(), span, value_span) {
            Ok(pragma) => self.facts.pragmas.push(pragma),
            Err(diagnostic) => self.errors.push(diagnostic),
        }
    }

    /// `layout at EXPR` in a contract header; the name of a contract may be `layout` too.
    fn layout(&mut self, token: Token) {
        let names_contract = matches!(self.prev, Prev::Word(b"contract" | b"interface" | b"library"));
        let at = self.cursor.peek();
        if !names_contract && self.layout.is_none() && self.cursor.text(at) == b"at" {
            self.cursor.pos = at.end;
            self.layout = Some((token.start, at.end));
        }
    }

    /// At `{` or `is`: the expression of `layout at` ended with the token before.
    fn end_layout(&mut self) {
        if let Some((start, after_at)) = self.layout.take() {
            self.facts.edits.push(Edit::Blank(start, self.prev_end));
            self.facts.layouts.push((after_at, self.prev_end));
        }
    }

    /// `transient` is a location unless it is the variable's own name or its type.
    fn transient(&mut self, token: Token) {
        let after_type = match self.prev {
            Prev::Word(_) | Prev::Sign(b')' | b']') => true,
            Prev::Start | Prev::Sign(_) | Prev::Literal => false,
        };
        if after_type && self.cursor.peek().kind == Kind::Word && !self.is_hidden(token.start) {
            self.facts.edits.push(Edit::Replace(token.start, b"temporary"));
        }
    }

    fn is_hidden(&self, start: usize) -> bool {
        self.facts.transients.iter().chain(&self.facts.overrides).any(|&(s, _)| s == start)
    }

    /// `var (a, , b) = …` becomes a plain tuple assignment; the tree gets the declarations back later.
    fn var(&mut self, token: Token) {
        let next = self.cursor.peek();
        if next.kind == Kind::Sign(b'(') && (self.at_statement_start() || self.prev == Prev::Sign(b'(')) {
            self.facts.edits.push(Edit::Blank(token.start, token.end));
            self.facts.var_tuples.push(next.start);
        }
    }

    /// The parser knows `revert` only as a statement (and as a member name); elsewhere it is a name like any other.
    fn revert(&mut self, token: Token) {
        let next = self.cursor.peek();
        let statement = self.at_statement_start() && matches!(next.kind, Kind::Sign(b'(') | Kind::Word);
        if !statement || self.depth.body() != Body::Code {
            self.rename(token.start);
        }
    }

    /// A function without a name in a contract: the fallback of old, or a variable of function type.
    fn function(&mut self, token: Token) {
        if self.cursor.peek().kind != Kind::Sign(b'(') || !self.at_statement_start() {
            return;
        }
        let mut ahead = self.cursor;
        let mut brackets = 0u32;
        let mut last = token;
        let mut hidden = Vec::new();
        loop {
            let Ok(next) = ahead.next() else { return };
            match next.kind {
                Kind::End => return,
                Kind::Sign(b'(' | b'[') => brackets += 1,
                Kind::Sign(b')' | b']') => brackets = brackets.saturating_sub(1),
                Kind::Sign(b'{') if brackets == 0 => return self.unnamed_function(token),
                Kind::Sign(b';' | b'=') if brackets == 0 => break,
                Kind::Word if brackets == 0 => hidden.push(next),
                Kind::Sign(_) | Kind::Word | Kind::Number | Kind::Text => (),
            }
            last = next;
        }
        let named = last.kind == Kind::Word && !is_function_attribute(self.cursor.text(last));
        if !named {
            return self.unnamed_function(token);
        }
        for word in hidden.into_iter().filter(|word| word.start != last.start) {
            let range = (word.start, word.end);
            match self.cursor.text(word) {
                b"override" => self.facts.overrides.push(range),
                b"transient" => self.facts.transients.push(range),
                _ => continue,
            }
            self.facts.edits.push(Edit::Blank(range.0, range.1));
        }
    }

    fn unnamed_function(&mut self, token: Token) {
        if self.version().receive_and_fallback() {
            let span = Span::new(self.file, token.start, token.end);
            let error = Diagnostic::error(span, "a function needs a name")
                .help("from 0.6 on the fallback function is written `fallback() external` or `receive() external payable`");
            return self.errors.push(error);
        }
        self.facts.edits.push(Edit::Replace(token.start, b"fallback"));
    }
}

fn is_function_attribute(word: &[u8]) -> bool {
    matches!(
        word,
        b"external"
            | b"public"
            | b"internal"
            | b"private"
            | b"payable"
            | b"view"
            | b"pure"
            | b"constant"
            | b"virtual"
            | b"override"
    )
}

/// Words that are plain names inside assembly but keywords to the parser even there.
fn yul_word_is_reserved(word: &[u8]) -> bool {
    let sized =
        |prefix: &[u8]| word.strip_prefix(prefix).is_some_and(|rest| rest.iter().all(u8::is_ascii_digit));
    match word {
        b"instance" | b"persistent" | b"temporary" | b"delete" | b"type" => true,
        b"bytes" => false,
        _ => sized(b"uint") || sized(b"int") || sized(b"bytes"),
    }
}

/// Applies the edits; `None` when there are none and the text can be parsed as it is.
pub(super) fn edited(text: &str, edits: &[Edit]) -> Option<String> {
    if edits.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        match *edit {
            Edit::Blank(start, end) => bytes[start..end].fill(b' '),
            Edit::Rename(start) => bytes[start] = b'_',
            Edit::Replace(start, with) => bytes[start..start + with.len()].copy_from_slice(with),
        }
    }
    String::from_utf8(bytes).ok()
}
