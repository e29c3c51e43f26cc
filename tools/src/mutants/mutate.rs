//! Small changes of a contract: of its annotations, of its assertions, of its code.

use crate::engine::Subject;
use hornet_ir::ids::ObligationId;
use hornet_ir::spec::Clause;
use solang_parser::lexer::Lexer;
use std::collections::HashSet;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Something claimed is claimed differently: an assertion or an annotation.
    Claim,
    /// Nothing is claimed any more, so nothing can be relied on.
    Dropped,
    Code,
}

#[derive(Clone, Debug)]
pub struct Mutant {
    pub kind: Kind,
    pub place: Range<usize>,
    pub replacement: String,
}

impl Mutant {
    pub fn apply(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.place.start], self.replacement, &text[self.place.end..])
    }
}

/// All mutants of a file.
pub fn mutants(subject: &Subject, text: &str) -> Vec<Mutant> {
    let mut found = Vec::new();
    for place in clauses(subject, text) {
        let clause = &text[place.clone()];
        found.push(Mutant { kind: Kind::Claim, place: place.clone(), replacement: format!("!({clause})") });
        found.push(Mutant { kind: Kind::Dropped, place: place.clone(), replacement: "true".into() });
        let tokens = Tokens::new(clause);
        let all = 0..tokens.places.len();
        for mutant in tokens.operators(std::slice::from_ref(&all)).into_iter().chain(tokens.numbers()) {
            let place = place.start + mutant.place.start..place.start + mutant.place.end;
            found.push(Mutant { kind: Kind::Claim, place, ..mutant });
        }
    }
    let state: HashSet<&str> = subject.program.state.iter().map(|var| var.name.as_str()).collect();
    let tokens = Tokens::new(text);
    found.extend(tokens.operators(&tokens.asserted()));
    found.extend(tokens.numbers());
    found.extend(tokens.swapped_differences());
    found.extend(tokens.conditions());
    found.extend(tokens.assignments(&state));
    found
}

/// Where annotations have their conditions, as far as these are written as they are meant.
fn clauses(subject: &Subject, text: &str) -> Vec<Range<usize>> {
    let program = &subject.program;
    let specs = program.procs.iter().filter_map(|p| p.spec.as_deref());
    let loops = program.procs.iter().flat_map(|p| p.blocks.iter()).flat_map(|b| &b.invariants);
    let invariants = program.contracts.iter().flat_map(|c| &c.invariants);
    let all = invariants.chain(specs.flat_map(|spec| spec.clauses())).chain(loops);
    let mut places: Vec<Range<usize>> = Vec::new();
    for Clause { obligation, text: wanted, .. } in all {
        let place = range(subject, *obligation);
        if text.get(place.clone()) == Some(wanted.as_str()) && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

fn range(subject: &Subject, obligation: ObligationId) -> Range<usize> {
    let span = subject.program.obligations[obligation].span;
    span.start as usize..span.end as usize
}

/// Comments are no tokens.
struct Tokens<'t> {
    text: &'t str,
    places: Vec<Range<usize>>,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str) -> Tokens<'t> {
        let (mut comments, mut errors) = (Vec::new(), Vec::new());
        let lexer = Lexer::new(text, 0, &mut comments, &mut errors);
        let places = lexer.map(|(start, _, end)| start..end).collect();
        Tokens { text, places }
    }

    fn get(&self, i: usize) -> &'t str {
        self.places.get(i).map_or("", |place| &self.text[place.clone()])
    }

    fn replace(&self, tokens: Range<usize>, kind: Kind, replacement: impl Into<String>) -> Mutant {
        let place = self.places[tokens.start].start..self.places[tokens.end - 1].end;
        Mutant { kind, place, replacement: replacement.into() }
    }

    /// Tokens of a file before this one only say what is in it.
    fn first_of_code(&self) -> usize {
        let declares = |i: &usize| matches!(self.get(*i), "contract" | "library" | "abstract" | "interface");
        (0..self.places.len()).find(declares).unwrap_or(0)
    }

    fn code(&self) -> Range<usize> {
        self.first_of_code()..self.places.len()
    }

    /// What is asserted, as tokens.
    fn asserted(&self) -> Vec<Range<usize>> {
        let asserts = self.code().filter(|i| self.get(*i) == "assert" && self.get(i + 1) == "(");
        asserts.filter_map(|i| Some(i + 2..self.closing(i + 1)?)).collect()
    }

    /// Other operators. In `claims` only such as claim something else or more: a weaker claim should still hold.
    fn operators(&self, claims: &[Range<usize>]) -> Vec<Mutant> {
        let mut found = Vec::new();
        for i in self.code() {
            let is_claim = claims.iter().any(|claim| claim.contains(&i));
            let others: &[&str] = match (self.get(i), is_claim) {
                ("<", false) => &["<=", ">"],
                (">", false) => &[">=", "<"],
                ("==", false) => &["<=", "!="],
                ("&&", false) => &["||"],
                ("<", true) => &[">"],
                (">", true) => &["<"],
                ("==", true) => &["!=", "<", ">"],
                ("<=", _) => &["<", ">="],
                (">=", _) => &[">", "<="],
                ("!=", _) => &["=="],
                ("||", _) => &["&&"],
                ("+", _) => &["-"],
                ("-", _) => &["+"],
                ("+=", _) => &["-="],
                ("-=", _) => &["+="],
                ("++", _) => &["--"],
                ("--", _) => &["++"],
                _ => &[],
            };
            let kind = if is_claim { Kind::Claim } else { Kind::Code };
            found.extend(others.iter().map(|other| self.replace(i..i + 1, kind, *other)));
        }
        found
    }

    fn numbers(&self) -> Vec<Mutant> {
        let next = |i: usize| {
            let number: u128 = self.get(i).parse().ok()?;
            Some(self.replace(i..i + 1, Kind::Code, (number + 1).to_string()))
        };
        self.code().filter_map(next).collect()
    }

    fn is_name(&self, i: usize) -> bool {
        self.get(i).chars().all(|c| c.is_alphanumeric() || c == '_') && !self.get(i).is_empty()
    }

    /// `a - b` as `b - a`, where both are plain.
    fn swapped_differences(&self) -> Vec<Mutant> {
        let swapped = |i: usize| {
            let plain = self.get(i + 1) == "-"
                && self.is_name(i)
                && self.is_name(i + 2)
                && !matches!(self.get(i + 3), "." | "[" | "(")
                && (i == 0 || self.get(i - 1) != ".");
            plain.then(|| {
                let text = format!("{} - {}", self.get(i + 2), self.get(i));
                self.replace(i..i + 3, Kind::Code, text)
            })
        };
        self.code().filter_map(swapped).collect()
    }

    /// The token that closes what is opened at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for i in open..self.places.len() {
            match self.get(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(i);
            }
        }
        None
    }

    /// `require` dropped, `assert` the other way round.
    fn conditions(&self) -> Vec<Mutant> {
        let mut found = Vec::new();
        for i in self.code().filter(|i| self.get(i + 1) == "(") {
            let Some(close) = self.closing(i + 1) else { continue };
            match self.get(i) {
                "require" if self.get(close + 1) == ";" => {
                    found.push(self.replace(i..close + 2, Kind::Code, "{}"));
                }
                "assert" => {
                    let cond = &self.text[self.places[i + 1].start..self.places[close].end];
                    found.push(self.replace(i + 1..close + 1, Kind::Claim, format!("(!{cond})")));
                }
                _ => {}
            }
        }
        found
    }

    /// Statements that assign to state variables, left out.
    fn assignments(&self, state: &HashSet<&str>) -> Vec<Mutant> {
        let starts = |i: &usize| {
            *i > 0
                && matches!(self.get(i - 1), ";" | "{" | "}" | ")" | "else")
                && state.contains(self.get(*i))
        };
        let mut found = Vec::new();
        for start in self.code().filter(starts) {
            let end = (start..self.places.len()).find(|i| matches!(self.get(*i), ";" | "{"));
            if let Some(end) = end.filter(|end| self.get(*end) == ";") {
                found.push(self.replace(start..end + 1, Kind::Code, "{}"));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(mutants: Vec<Mutant>, text: &str) -> Vec<String> {
        mutants.iter().map(|m| m.apply(text)).collect()
    }

    #[test]
    fn code_is_changed_in_one_place_at_a_time() {
        let text = "contract C { uint x; function f(uint a) public { require(a < 3); x -= a - 1; } }";
        let tokens = Tokens::new(text);
        let operators = texts(tokens.operators(&tokens.asserted()), text);
        assert!(operators.contains(&text.replace("a < 3", "a <= 3")));
        assert!(operators.contains(&text.replace("-=", "+=")));
        assert_eq!(texts(tokens.numbers(), text).len(), 2);
        assert_eq!(texts(tokens.swapped_differences(), text), [text.replace("a - 1", "1 - a")]);
        assert_eq!(texts(tokens.conditions(), text), [text.replace("require(a < 3);", "{}")]);
        let state = HashSet::from(["x"]);
        assert_eq!(texts(tokens.assignments(&state), text), [text.replace("x -= a - 1;", "{}")]);
    }

    #[test]
    fn assertions_are_turned_round_and_comments_left_alone() {
        let text = "contract C { function f(uint a) public pure { /* a < 1 */ assert(a == 0 || a > 0); } }";
        let tokens = Tokens::new(text);
        let stronger = texts(tokens.operators(&tokens.asserted()), text);
        assert!(
            stronger.contains(&text.replace("||", "&&")) && !stronger.contains(&text.replace("==", "<="))
        );
        let turned = texts(tokens.conditions(), text);
        assert_eq!(turned, [text.replace("assert(a == 0 || a > 0)", "assert(!(a == 0 || a > 0))")]);
    }
}
