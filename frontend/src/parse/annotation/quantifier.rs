//! Takes the quantifiers out of an expression, so that what is left is Solidity: `forall (T x) E` becomes the name
//! `forall`, which reaches as far as the expression around it goes.

use super::super::cursor::{Cursor, Kind, Token};
use super::text::CleanText;
use super::{Quantifier, Range, SpecExpr, piece};
use crate::version::Version;
use hornet_ir::diag::Diagnostic;
use solang_parser::pt::{Identifier, Loc};

/// Quantifiers inside quantifiers; solvers give up long before.
const MOST_NESTED: usize = 16;

/// A quantifier's head: up to where its body starts.
struct Head {
    range: Range,
    vars: Vec<Identifier>,
    end: usize,
}

pub(super) struct Reader<'t> {
    pub clean: &'t CleanText,
    pub version: Version,
    quantifiers: Vec<Quantifier>,
    nested: usize,
}

type Read<T> = Result<T, Vec<Diagnostic>>;

impl<'t> Reader<'t> {
    /// The expression that is all of a range.
    pub fn read(clean: &'t CleanText, version: Version, start: usize, end: usize) -> Read<SpecExpr> {
        let (start, end) = clean.trimmed(start, end);
        let mut reader = Reader { clean, version, quantifiers: Vec::new(), nested: 0 };
        let expr = reader.expression(start, end)?;
        let mut quantifiers = reader.quantifiers;
        quantifiers.sort_by_key(|q| q.at);
        Ok(SpecExpr { expr, quantifiers, span: clean.span(start, end), text: clean.shown(start, end) })
    }

    fn error<T>(&self, start: usize, end: usize, message: &str) -> Read<T> {
        Err(vec![Diagnostic::error(self.clean.span(start, end), message)])
    }

    fn cursor(&self, start: usize, end: usize) -> Cursor<'t> {
        let clean: &'t CleanText = self.clean;
        Cursor { src: &clean.text.as_bytes()[..end], pos: start }
    }

    fn expression(&mut self, start: usize, end: usize) -> Read<solang_parser::pt::Expression> {
        let (start, end) = self.clean.trimmed(start, end);
        if start == end {
            return self.error(start.saturating_sub(1), end, "expected an expression after this");
        }
        let mut text = self.clean.text[start..end].to_owned();
        let mut cursor = self.cursor(start, end);
        let mut after_dot = false;
        // What cannot be cut into tokens is for the parser to complain about.
        while let Ok(token) = cursor.next() {
            if token.kind == Kind::End {
                break;
            }
            if token.kind == Kind::Sign(b';') {
                return self.error(token.start, end, "expected the end of the annotation");
            }
            if token.kind == Kind::Word
                && !after_dot
                && let Some(head) = self.head(token, end)?
            {
                let body_end = self.region_end(head.end, end);
                self.quantified(token, head, body_end)?;
                // The word stays: it is the quantifier's name in the tree.
                let (from, to) = (token.end - start, body_end - start);
                text.replace_range(from..to, &" ".repeat(to - from));
                cursor.pos = body_end;
            }
            after_dot = token.kind == Kind::Sign(b'.');
        }
        piece::parse(self.clean.file, &text, self.clean.base + start, self.version)
    }

    fn quantified(&mut self, word: Token, head: Head, body_end: usize) -> Read<()> {
        if self.nested == MOST_NESTED {
            return self.error(word.start, word.end, "too many quantifiers inside each other");
        }
        self.nested += 1;
        let body = self.expression(head.end, body_end)?;
        self.nested -= 1;
        let (at, end) = (self.clean.base + word.start, self.clean.base + body_end);
        let (at, end) = (at as u32, end as u32);
        self.quantifiers.push(Quantifier { at, end, range: head.range, vars: head.vars, body });
        Ok(())
    }

    /// The head that starts with a word, if it is one: a function may be called `exists` too.
    fn head(&mut self, word: Token, end: usize) -> Read<Option<Head>> {
        let text = &self.clean.text[word.start..word.end];
        if !matches!(text, "forall" | "exists" | "property") {
            return Ok(None);
        }
        let Some(first) = self.parenthesis(word.end, end) else { return Ok(None) };
        if text == "property" {
            let Some(second) = self.parenthesis(first.1 + 1, end) else { return Ok(None) };
            return self.property(first, second);
        }
        let mut types = Vec::new();
        let mut vars = Vec::new();
        for tokens in self.items(first) {
            let Some((name, ty)) = tokens.split_last() else { return Ok(None) };
            let (Some(ty_first), Some(ty_last)) = (ty.first(), ty.last()) else { return Ok(None) };
            if name.kind != Kind::Word {
                return Ok(None);
            }
            types.push(self.expression(ty_first.start, ty_last.end)?);
            vars.push(self.name(*name));
        }
        let range = if text == "forall" { Range::Forall(types) } else { Range::Exists(types) };
        Ok(Some(Head { range, vars, end: first.1 + 1 }))
    }

    fn property(&mut self, array: (usize, usize), names: (usize, usize)) -> Read<Option<Head>> {
        let mut vars = Vec::new();
        for tokens in self.items(names) {
            match tokens[..] {
                [name] if name.kind == Kind::Word => vars.push(self.name(name)),
                _ => return Ok(None),
            }
        }
        let range = Range::Property(self.expression(array.0 + 1, array.1)?);
        Ok(Some(Head { range, vars, end: names.1 + 1 }))
    }

    fn name(&self, token: Token) -> Identifier {
        let (start, end) = (self.clean.base + token.start, self.clean.base + token.end);
        let loc = Loc::File(self.clean.file.0 as usize, start, end);
        Identifier { loc, name: self.clean.text[token.start..token.end].to_owned() }
    }

    /// The places of the parentheses that open with the next token.
    fn parenthesis(&self, from: usize, end: usize) -> Option<(usize, usize)> {
        let mut cursor = self.cursor(from, end);
        let open = cursor.next().ok().filter(|t| t.kind == Kind::Sign(b'('))?;
        let mut depth = 1usize;
        while let Ok(token) = cursor.next() {
            match token.kind {
                Kind::Sign(b'(') => depth += 1,
                Kind::Sign(b')') => depth -= 1,
                Kind::End => return None,
                Kind::Word | Kind::Number | Kind::Text | Kind::Sign(_) => {}
            }
            if depth == 0 {
                return Some((open.start, token.start));
            }
        }
        None
    }

    /// The tokens between parentheses, split at commas.
    fn items(&self, (open, close): (usize, usize)) -> Vec<Vec<Token>> {
        let mut cursor = self.cursor(open + 1, close);
        let mut items = vec![Vec::new()];
        while let Ok(token) = cursor.next() {
            match token.kind {
                Kind::End => break,
                Kind::Sign(b',') => items.push(Vec::new()),
                Kind::Word | Kind::Number | Kind::Text | Kind::Sign(_) => {
                    if let Some(item) = items.last_mut() {
                        item.push(token);
                    }
                }
            }
        }
        items
    }

    /// Where a body that starts here ends: with the brackets or the list item around it.
    fn region_end(&self, from: usize, end: usize) -> usize {
        let mut cursor = self.cursor(from, end);
        let (mut depth, mut questions) = (0usize, 0usize);
        while let Ok(token) = cursor.next() {
            match token.kind {
                Kind::End => return end,
                Kind::Sign(b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b')' | b']' | b'}' | b',' | b';') if depth == 0 => return token.start,
                Kind::Sign(b')' | b']' | b'}') => depth -= 1,
                Kind::Sign(b'?') if depth == 0 => questions += 1,
                Kind::Sign(b':') if depth == 0 && questions == 0 => return token.start,
                Kind::Sign(b':') if depth == 0 => questions -= 1,
                Kind::Word | Kind::Number | Kind::Text | Kind::Sign(_) => {}
            }
        }
        end
    }
}
