//! Which annotation a text is. Ordinary documentation may begin with our words: where what follows has not even the
//! shape of the annotation, `emits`, `modifies`, `specification` and `gas` are prose. The other words hardly begin a sentence,
//! and a slip after them must not make a claim vanish: they are annotations, and errors if they cannot be read.

use super::super::cursor::{Cursor, Kind};
use super::quantifier::Reader;
use super::text::{CleanText, Tag, Tagged};
use super::{Annotation, Case, Form, SpecExpr};
use crate::hir::GasBudget;
use crate::version::Version;
use hornet_ir::diag::Diagnostic;

const WORDS: [&str; 12] = [
    "invariant",
    "precondition",
    "postcondition",
    "modifies",
    "emits",
    "specification",
    "succeeds-if",
    "reverts-if",
    "tracks-changes-in",
    "allow-no-change-emit",
    "{contractInvariants}",
    "gas",
];

type Read<T> = Result<T, Vec<Diagnostic>>;

/// The annotation in a tagged text; `None` if it is prose.
pub(super) fn read(clean: &CleanText, tagged: Tagged, version: Version) -> Option<Annotation> {
    let (start, end) = clean.trimmed(tagged.start, tagged.end);
    let ours = tagged.tag != Tag::Notice;
    if tagged.tag == Tag::Gas {
        let rest = Rest { clean, version, start, end };
        let form = rest.budget().unwrap_or_else(|| {
            let message = "expected `<=` and a number of gas, such as `<= 60000`";
            Err(vec![Diagnostic::error(clean.span(start, end), message)])
        });
        return Some(Annotation { span: clean.span(start, end), keyword: "gas", form });
    }
    let text = &clean.text[start..end];
    let word_length = text.find(|c: char| c.is_whitespace() || c == '[').unwrap_or(text.len());
    let keyword = WORDS.into_iter().find(|w| *w == &text[..word_length]);
    let span = clean.span(start, end);
    let Some(keyword) = keyword else {
        let unknown = clean.span(start, start + word_length);
        let form = Err(vec![Diagnostic::error(unknown, "no annotation begins like this")]);
        return ours.then_some(Annotation { span, keyword: "", form });
    };
    let rest = Rest { clean, version, start: start + word_length, end };
    let form = match rest.form(keyword) {
        Some(form) => form,
        None if ours => Err(vec![Diagnostic::error(span, format!("`{keyword}` cannot be followed by this"))]),
        None => return None,
    };
    Some(Annotation { span, keyword, form })
}

/// What stands after the word.
struct Rest<'t> {
    clean: &'t CleanText,
    version: Version,
    start: usize,
    end: usize,
}

impl Rest<'_> {
    fn form(&self, keyword: &'static str) -> Option<Read<Form>> {
        Some(match keyword {
            "invariant" => self.whole().map(Form::Invariant),
            "precondition" => self.whole().map(Form::Precondition),
            "postcondition" => self.whole().map(Form::Postcondition),
            "succeeds-if" => self.whole().map(Form::SucceedsIf),
            "reverts-if" => self.whole().map(Form::RevertsIf),
            "tracks-changes-in" => self.whole().map(Form::Tracks),
            "allow-no-change-emit" => self.nothing(Form::AllowNoChange),
            "{contractInvariants}" => self.nothing(Form::ContractInvariants),
            "emits" => Ok(Form::Emits(self.path()?)),
            "modifies" => return self.modifies(),
            "gas" => return self.budget(),
            _ => return self.cases(),
        })
    }

    fn expr(&self, start: usize, end: usize) -> Read<SpecExpr> {
        Reader::read(self.clean, self.version, start, end)
    }

    fn whole(&self) -> Read<SpecExpr> {
        self.expr(self.start, self.end)
    }

    fn text(&self) -> &str {
        &self.clean.text[self.start..self.end]
    }

    fn nothing(&self, form: Form) -> Read<Form> {
        let (start, end) = self.clean.trimmed(self.start, self.end);
        if start == end {
            return Ok(form);
        }
        Err(vec![Diagnostic::error(self.clean.span(start, end), "expected the end of the annotation")])
    }

    /// A dotted name and nothing else.
    fn path(&self) -> Option<SpecExpr> {
        let text = self.text().trim();
        let is_name = |part: &str| {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
            !part.is_empty() && part.chars().all(word) && !part.starts_with(|c: char| c.is_ascii_digit())
        };
        if text.split('.').all(is_name) { self.whole().ok() } else { None }
    }

    /// `<=` and something; `None` for anything else, which is prose.
    fn budget(&self) -> Option<Read<Form>> {
        let (start, end) = self.clean.trimmed(self.start, self.end);
        let after = self.clean.text[start..end].strip_prefix("<=")?;
        let (start, _) = self.clean.trimmed(end - after.len(), end);
        let text = self.clean.text[start..end].to_owned();
        Some(Ok(Form::Gas(GasBudget { text, span: self.clean.span(start, end) })))
    }

    /// `*`, or something that looks like a variable, then perhaps `if` and a condition.
    fn modifies(&self) -> Option<Read<Form>> {
        let (start, end) = self.clean.trimmed(self.start, self.end);
        let text = self.clean.shown(start, end);
        let (target_end, cond) = match self.word_at_level("if", start, end) {
            Some(at) => (at, Some(self.expr(at + 2, end).map(Box::new))),
            None => (end, None),
        };
        let target = match self.clean.text[start..target_end].trim() {
            "*" => None,
            // What does not even parse is a sentence.
            _ => Some(Box::new(self.expr(start, target_end).ok()?)),
        };
        Some(match cond.transpose() {
            Ok(cond) => Ok(Form::Modifies { target, cond, text }),
            Err(errors) => Err(errors),
        })
    }

    /// Where a word stands outside brackets.
    fn word_at_level(&self, word: &str, start: usize, end: usize) -> Option<usize> {
        let mut cursor = Cursor { src: &self.clean.text.as_bytes()[..end], pos: start };
        let mut depth = 0usize;
        while let Ok(token) = cursor.next() {
            match token.kind {
                Kind::End => return None,
                Kind::Sign(b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Kind::Word if depth == 0 && cursor.text(token) == word.as_bytes() => {
                    return Some(token.start);
                }
                Kind::Word | Kind::Number | Kind::Text | Kind::Sign(_) => {}
            }
        }
        None
    }

    /// `[ case C: E; … ]`
    fn cases(&self) -> Option<Read<Form>> {
        let (start, end) = self.clean.trimmed(self.start, self.end);
        let text = &self.clean.text[start..end];
        if !text.starts_with('[') {
            return None;
        }
        if !text.ends_with(']') || text.len() < 2 {
            let span = self.clean.span(end - 1, end);
            return Some(Err(vec![Diagnostic::error(span, "expected `]` after this")]));
        }
        Some(self.case_list(start + 1, end - 1).map(Form::Cases))
    }

    fn case_list(&self, mut start: usize, end: usize) -> Read<Vec<Case>> {
        let mut cases = Vec::new();
        loop {
            (start, _) = self.clean.trimmed(start, end);
            if start >= end {
                return Ok(cases);
            }
            let rest = &self.clean.text[start..end];
            let Some(after) =
                rest.strip_prefix("case").filter(|r| !r.starts_with(|c: char| c.is_alphanumeric()))
            else {
                let span = self.clean.span(start, start + rest.chars().next().map_or(0, char::len_utf8));
                return Err(vec![Diagnostic::error(span, "expected `case`")]);
            };
            let cond_start = end - after.len();
            let (colon, semicolon) = self.separators(cond_start, end);
            let Some(colon) = colon else {
                let span = self.clean.span(start, cond_start);
                return Err(vec![Diagnostic::error(span, "expected `:` after the condition of this case")]);
            };
            cases.push(Case {
                cond: self.expr(cond_start, colon)?,
                then: self.expr(colon + 1, semicolon)?,
                span: self.clean.span(start, semicolon),
                text: self.clean.shown(start, semicolon),
            });
            start = (semicolon + 1).min(end);
        }
    }

    /// The first `:` outside brackets and conditionals, and the first `;` after it, or the end.
    fn separators(&self, start: usize, end: usize) -> (Option<usize>, usize) {
        let mut cursor = Cursor { src: &self.clean.text.as_bytes()[..end], pos: start };
        let (mut depth, mut questions, mut colon) = (0usize, 0usize, None);
        while let Ok(token) = cursor.next() {
            match token.kind {
                Kind::End => break,
                Kind::Sign(b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Kind::Sign(b';') if depth == 0 => return (colon, token.start),
                Kind::Sign(b'?') if depth == 0 => questions += 1,
                Kind::Sign(b':') if depth == 0 && questions > 0 => questions -= 1,
                Kind::Sign(b':') if depth == 0 && colon.is_none() => colon = Some(token.start),
                Kind::Word | Kind::Number | Kind::Text | Kind::Sign(_) => {}
            }
        }
        (colon, end)
    }
}
