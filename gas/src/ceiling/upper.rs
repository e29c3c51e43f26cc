//! Bounds of words as polynomials in what is given, for lengths and numbers of rounds.

use hornet_evm::U256;

use super::facts::{Fact, Facts};
use super::poly::Poly;
use super::term::{Node, Origin, Term, Terms};
use super::wide::Wide;
use super::word::{Op, rounded_bits};

/// Facts and terms that are gone through to find a bound.
const DEPTH: u32 = 8;
/// Words up to this are bounds themselves where nothing better is known.
const SMALL: u64 = 1 << 20;

pub struct Upper<'a> {
    pub terms: &'a mut Terms,
    pub facts: &'a Facts,
    /// Who asks, for words that nothing is known about.
    pub pc: usize,
    /// Words whose bound is being looked for: one in terms of itself is none.
    asked: Vec<Term>,
}

impl<'a> Upper<'a> {
    pub fn new(terms: &'a mut Terms, facts: &'a Facts, pc: usize) -> Upper<'a> {
        Upper { terms, facts, pc, asked: Vec::new() }
    }

    /// At least as large as the word.
    pub fn of(&mut self, term: Term) -> Poly {
        self.within(term, false, DEPTH)
    }

    /// The same for a word that is less than 2^64 because the run would run out of gas otherwise.
    pub fn of_small(&mut self, term: Term) -> Poly {
        self.within(term, true, DEPTH)
    }

    fn within(&mut self, term: Term, small: bool, depth: u32) -> Poly {
        let range = self.facts.range(self.terms, term);
        if let Some(word) = range.single() {
            return u64::try_from(word).map_or_else(|_| Poly::endless(), Poly::from);
        }
        if depth == 0 {
            return self.fallback(term);
        }
        match self.terms.node(term).clone() {
            Node::Sum(constant, parts) => match self.sum(term, constant, &parts, small, depth) {
                Some(poly) => poly,
                None => self.atom_or_fact(term, depth),
            },
            Node::Op(op, arguments) => match self.operation(op, &arguments, depth) {
                Some(poly) => poly,
                None => self.atom_or_fact(term, depth),
            },
            Node::Fresh(number) => match self.terms.fresh_info(number).upper.clone() {
                Some(upper) => upper,
                None => self.atom_or_fact(term, depth),
            },
            Node::Const(_) | Node::Env(_) | Node::Calldata(_) | Node::Storage(_) => {
                self.atom_or_fact(term, depth)
            }
            Node::Keccak(_) | Node::Joined(_) | Node::Immutable(_) => self.atom_or_fact(term, depth),
        }
    }

    /// Part by part, where the sum is one of whole numbers.
    fn sum(
        &mut self,
        term: Term,
        constant: U256,
        parts: &[(Term, U256)],
        small: bool,
        depth: u32,
    ) -> Option<Poly> {
        let (low, high) = self.facts.span(self.terms, term);
        let half = Wide::from_word(U256::ONE << 255);
        let exact = low.to_word().is_some() && high.to_word().is_some();
        let in_range = small && -half < low && high < half;
        if !(exact || in_range) {
            return None;
        }
        self.add_up(constant, parts, depth)
    }

    /// At least as large as the sum of whole numbers that a term is written as, which may be negative.
    pub fn of_whole(&mut self, term: Term) -> Option<Poly> {
        let (constant, parts) = self.terms.parts(term);
        self.add_up(constant, &parts, DEPTH)
    }

    fn add_up(&mut self, constant: U256, parts: &[(Term, U256)], depth: u32) -> Option<Poly> {
        let number = |word: U256| Wide::from_signed(word).to_number().and_then(|n| i64::try_from(n).ok());
        let mut poly = Poly::signed(number(constant)?);
        for (part, factor) in parts {
            let factor = number(*factor)?;
            let bound = if factor > 0 { self.within(*part, false, depth - 1) } else { self.lower(*part) };
            poly = poly.add(&bound.scaled(factor, 1));
        }
        Some(poly)
    }

    /// At most as large as the word.
    pub fn lower(&mut self, term: Term) -> Poly {
        let range = self.facts.range(self.terms, term);
        let exact = self.is_atom(term) && range.single().is_none();
        if exact {
            return Poly::of(term);
        }
        Poly::from(u64::try_from(range.low).unwrap_or(u64::MAX))
    }

    /// Terms that polynomials are made of.
    fn is_atom(&self, term: Term) -> bool {
        match self.terms.node(term) {
            Node::Calldata(_) | Node::Storage(_) | Node::Env(_) => self.terms.is_given(term),
            _ => false,
        }
    }

    fn operation(&mut self, op: Op, arguments: &[Term], depth: u32) -> Option<Poly> {
        let is_leaf = |terms: &Terms, term: Term| {
            matches!(terms.node(term), Node::Calldata(_) | Node::Storage(_) | Node::Joined(_))
        };
        match (op, arguments) {
            (Op::And, &[a, b]) => {
                let (mask, a) = match (self.terms.as_const(a), self.terms.as_const(b)) {
                    (Some(mask), _) => (mask, b),
                    (_, Some(mask)) => (mask, a),
                    _ => return None,
                };
                // Rounding down; other masks cut a value out of a word, and that value is a quantity of its own.
                rounded_bits(mask)?;
                Some(self.within(a, false, depth - 1))
            }
            (Op::Shr, &[by, a]) if !is_leaf(self.terms, a) => {
                let by = self.terms.as_small(by).filter(|by| *by < 32)?;
                Some(self.within(a, false, depth - 1).scaled(1, 1 << by))
            }
            (Op::Div, &[a, b]) if !is_leaf(self.terms, a) => {
                let by = self.terms.as_small(b).filter(|by| *by < SMALL)?;
                Some(self.within(a, false, depth - 1).scaled(1, by))
            }
            (Op::Mul, &[a, b]) => {
                let [left, right] = [a, b].map(|factor| self.facts.range(self.terms, factor).high);
                left.checked_mul(right)?;
                Some(self.within(a, false, depth - 1).times(&self.within(b, false, depth - 1)))
            }
            _ => None,
        }
    }

    /// Itself if it is given; otherwise what a fact says, or its range.
    fn atom_or_fact(&mut self, term: Term, depth: u32) -> Poly {
        if self.terms.is_given(term) {
            return Poly::of(self.facts.as_length(self.terms, term));
        }
        if self.asked.contains(&term) {
            return Poly::endless();
        }
        self.asked.push(term);
        let found = self.by_facts(term, depth);
        self.asked.pop();
        found.unwrap_or_else(|| self.fallback(term))
    }

    fn by_facts(&mut self, term: Term, depth: u32) -> Option<Poly> {
        for fact in self.facts.trail().iter().rev().copied().collect::<Vec<_>>() {
            let (bound, less) = match fact {
                Fact::Less(low, high) if low == term => (high, 1),
                Fact::AtMost(low, high) if low == term => (high, 0),
                _ => match self.rearranged(term, fact) {
                    Some(found) => found,
                    None => continue,
                },
            };
            if bound == term {
                continue;
            }
            let poly = self.within(bound, false, depth - 1).plus(-less);
            let useful = !poly.is_constant() || poly.offset() <= SMALL.into();
            if !poly.is_endless() && useful && poly.atoms().all(|atom| self.terms.is_nameable(atom)) {
                return Some(poly);
            }
        }
        None
    }

    /// A fact about a sum that a term is part of: `term + others <= high`, with others that only add.
    fn rearranged(&mut self, term: Term, fact: Fact) -> Option<(Term, i64)> {
        let (low, high, less) = match fact {
            Fact::Less(low, high) => (low, high, 1),
            Fact::AtMost(low, high) => (low, high, 0),
            Fact::Nonzero(_) => return None,
        };
        let Node::Sum(constant, parts) = self.terms.node(low) else { return None };
        let only_adds = !constant.bit(255) && parts.iter().all(|(_, factor)| !factor.bit(255));
        let found = only_adds && parts.iter().any(|(part, _)| *part == term);
        (found && self.facts.is_exact(self.terms, low)).then_some((high, less))
    }

    fn fallback(&mut self, term: Term) -> Poly {
        let high = self.facts.range(self.terms, term).high;
        if let Some(high) = u64::try_from(high).ok().filter(|high| *high <= SMALL) {
            return Poly::from(high);
        }
        match self.terms.origin(term) {
            // Bounds are found for these when their loop is done.
            Some(Origin::Varying(_) | Origin::Any(_)) => Poly::of(term),
            Some(origin @ (Origin::Unknown(_) | Origin::Returned(_) | Origin::Iterations(_))) => {
                Poly::of(self.terms.largest(origin))
            }
            None if self.terms.is_given(term) => Poly::of(term),
            None => Poly::of(self.terms.largest(Origin::Unknown(self.pc))),
        }
    }
}
