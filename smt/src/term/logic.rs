//! Boolean connectives, equality, `ite`, quantifiers, uninterpreted functions.

use super::{Function, Node, Op, Sort, TermId, Terms};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

impl Terms {
    pub fn bool(&mut self, value: bool) -> TermId {
        self.intern(Op::Bool(value), [], Sort::Bool)
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match (self.op(a), self.args(a)) {
            (&Op::Bool(b), _) => self.bool(!b),
            (Op::Not, &[inner]) => inner,
            // Comparisons are total: `not (a <= b)` is `b < a`.
            (Op::Le, &[x, y]) => self.lt(y, x),
            (Op::Lt, &[x, y]) => self.le(y, x),
            (Op::BvUle, &[x, y]) => self.bv_ult(y, x),
            (Op::BvUlt, &[x, y]) => self.bv_ule(y, x),
            (Op::BvSle, &[x, y]) => self.bv_slt(y, x),
            (Op::BvSlt, &[x, y]) => self.bv_sle(y, x),
            _ => self.intern(Op::Not, [a], Sort::Bool),
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.and_all([a, b])
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.or_all([a, b])
    }

    pub fn and_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        self.connective(Op::And, true, terms)
    }

    pub fn or_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        self.connective(Op::Or, false, terms)
    }

    /// Flattened one level, without duplicates; `neutral` is the value of no terms, its negation absorbs.
    fn connective(&mut self, op: Op, neutral: bool, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let mut parts: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
        for term in terms {
            let nested: Box<[TermId]> =
                if *self.op(term) == op { self.args(term).into() } else { [term].into() };
            for part in nested {
                match self.as_bool(part) {
                    Some(b) if b == neutral => continue,
                    Some(b) => return self.bool(b),
                    None => {}
                }
                if parts.contains(&part) {
                    continue;
                }
                if self.known_negation(part).is_some_and(|negated| parts.contains(&negated)) {
                    return self.bool(!neutral);
                }
                parts.insert(part);
            }
        }
        let parts: Vec<TermId> = parts.into_iter().collect();
        match parts.as_slice() {
            [] => self.bool(neutral),
            [one] => *one,
            _ => self.intern(op, parts, Sort::Bool),
        }
    }

    /// The negation of a term, if it was ever made: looking for it should not fill the arena.
    fn known_negation(&self, term: TermId) -> Option<TermId> {
        let (op, args): (Op, Box<[TermId]>) = match (self.op(term), self.args(term)) {
            (Op::Not, &[inner]) => return Some(inner),
            (Op::Le, &[x, y]) => (Op::Lt, [y, x].into()),
            (Op::Lt, &[x, y]) => (Op::Le, [y, x].into()),
            (Op::BvUle, &[x, y]) => (Op::BvUlt, [y, x].into()),
            (Op::BvUlt, &[x, y]) => (Op::BvUle, [y, x].into()),
            (Op::BvSle, &[x, y]) => (Op::BvSlt, [y, x].into()),
            (Op::BvSlt, &[x, y]) => (Op::BvSle, [y, x].into()),
            _ => (Op::Not, [term].into()),
        };
        let index = self.nodes.get_index_of(&Node { op, args, sort: Sort::Bool })?;
        Some(TermId(index as u32))
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    pub fn ite(&mut self, cond: TermId, then: TermId, other: TermId) -> TermId {
        debug_assert_eq!(self.sort(then), self.sort(other));
        if then == other {
            return then;
        }
        match self.op(cond) {
            Op::Bool(true) => return then,
            Op::Bool(false) => return other,
            Op::Not => {
                let positive = self.args(cond)[0];
                return self.ite(positive, other, then);
            }
            _ => {}
        }
        match (self.as_bool(then), self.as_bool(other)) {
            (Some(true), _) => return self.or(cond, other),
            (Some(false), _) => {
                let not = self.not(cond);
                return self.and(not, other);
            }
            (_, Some(true)) => {
                let not = self.not(cond);
                return self.or(not, then);
            }
            (_, Some(false)) => return self.and(cond, then),
            (None, None) => {}
        }
        // The same condition again decides inside.
        let then = self.under(then, cond, true);
        let other = self.under(other, cond, false);
        if then == other {
            return then;
        }
        let sort = self.sort(then).clone();
        self.intern(Op::Ite, [cond, then, other], sort)
    }

    fn under(&self, term: TermId, cond: TermId, value: bool) -> TermId {
        match (self.op(term), self.args(term)) {
            (Op::Ite, &[c, then, other]) if c == cond => {
                if value {
                    then
                } else {
                    other
                }
            }
            _ => term,
        }
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if a == b {
            return self.bool(true);
        }
        if self.is_value(a) && self.is_value(b) {
            return self.bool(false);
        }
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return self.not(b),
            (_, Some(false)) => return self.not(a),
            (None, None) => {}
        }
        if let Some(decided) = self.eq_with_ite(a, b).or_else(|| self.eq_with_ite(b, a)) {
            return decided;
        }
        if let Some(decided) = self.eq_of_bits(a, b).or_else(|| self.eq_of_bits(b, a)) {
            return decided;
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Op::Eq, [a, b], Sort::Bool)
    }

    /// `ite(c, 1, 0) = 1` is `c`: a value against a choice of values.
    fn eq_with_ite(&mut self, value: TermId, choice: TermId) -> Option<TermId> {
        if !self.is_value(value) || *self.op(choice) != Op::Ite {
            return None;
        }
        let &[cond, then, other] = self.args(choice) else { return None };
        if !self.is_value(then) && !self.is_value(other) {
            return None;
        }
        let then = self.eq(then, value);
        let other = self.eq(other, value);
        Some(self.ite(cond, then, other))
    }

    /// A number against one that is made of bits: bits against bits.
    fn eq_of_bits(&mut self, value: TermId, made: TermId) -> Option<TermId> {
        let (Op::BvToInt, &[bits]) = (self.op(made), self.args(made)) else { return None };
        let width = self.width(bits);
        let fitting = self.as_int(value)?.to_biguint().filter(|value| value.bits() <= u64::from(width));
        let Some(value) = fitting else { return Some(self.bool(false)) };
        let value = self.bv(value, width);
        Some(self.eq(bits, value))
    }

    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    pub fn forall(&mut self, vars: &[TermId], body: TermId) -> TermId {
        self.quantified(Op::Forall, vars, body)
    }

    pub fn exists(&mut self, vars: &[TermId], body: TermId) -> TermId {
        self.quantified(Op::Exists, vars, body)
    }

    fn quantified(&mut self, op: Op, vars: &[TermId], body: TermId) -> TermId {
        // No sort is empty, so a variable that does not occur says nothing.
        let mut args: Vec<TermId> =
            vars.iter().copied().filter(|var| self.free_variables(body).contains(var)).collect();
        if args.is_empty() {
            return body;
        }
        args.push(body);
        self.intern(op, args, Sort::Bool)
    }

    pub fn function(&self, name: &str, params: Vec<Sort>, result: Sort) -> Arc<Function> {
        Arc::new(Function { name: name.into(), params, result })
    }

    pub fn apply(&mut self, function: &Arc<Function>, args: &[TermId]) -> TermId {
        debug_assert!(args.iter().map(|a| self.sort(*a)).eq(function.params.iter()), "{}", function.name);
        let sort = function.result.clone();
        if args.is_empty() {
            return self.intern(Op::Symbol(function.name.clone()), [], sort);
        }
        self.intern(Op::Apply(function.clone()), args, sort)
    }
}
