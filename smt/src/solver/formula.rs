//! Formulas that a solver prints, back as terms.

use crate::term::{Sort, TermId, Terms};
use easy_smt::{Context, SExpr, SExprData};
use num_bigint::{BigInt, BigUint};
use num_traits::Num;

/// Reads what one solver's answer says; `None` where it uses something that we have no term for.
pub(super) struct Formulas<'a> {
    pub context: &'a Context,
    pub terms: &'a mut Terms,
    /// Names in scope, innermost last.
    pub scope: Vec<(&'a str, TermId)>,
}

impl<'a> Formulas<'a> {
    pub fn term(&mut self, expr: SExpr) -> Option<TermId> {
        match self.context.get(expr) {
            SExprData::Atom(atom) => self.atom(atom),
            SExprData::String(_) => None,
            SExprData::List(items) => self.list(items),
        }
    }

    fn atom(&mut self, atom: &'a str) -> Option<TermId> {
        if let Some((_, term)) = self.scope.iter().rev().find(|(name, _)| *name == atom) {
            return Some(*term);
        }
        if let Some(digits) = atom.strip_prefix("#x") {
            let width = u32::try_from(digits.len()).ok()? * 4;
            return Some(self.terms.bv(BigUint::from_str_radix(digits, 16).ok()?, width));
        }
        if let Some(digits) = atom.strip_prefix("#b") {
            let width = u32::try_from(digits.len()).ok()?;
            return Some(self.terms.bv(BigUint::from_str_radix(digits, 2).ok()?, width));
        }
        match atom {
            "true" => Some(self.terms.bool(true)),
            "false" => Some(self.terms.bool(false)),
            _ => Some(self.terms.int(atom.parse::<BigInt>().ok()?)),
        }
    }

    fn list(&mut self, items: &'a [SExpr]) -> Option<TermId> {
        let (head, rest) = items.split_first()?;
        let SExprData::Atom(op) = self.context.get(*head) else { return self.constant_array(*head, rest) };
        match (op, rest) {
            ("let", [bindings, body]) => self.bound_by_let(*bindings, *body),
            ("forall" | "exists", [vars, body]) => self.quantified(op, *vars, *body),
            _ => {
                let args = rest.iter().map(|arg| self.term(*arg)).collect::<Option<Vec<TermId>>>()?;
                self.apply(op, &args)
            }
        }
    }

    fn apply(&mut self, op: &str, args: &[TermId]) -> Option<TermId> {
        let t = &mut *self.terms;
        Some(match (op, args) {
            ("and", _) => t.and_all(args.iter().copied()),
            ("or", _) => t.or_all(args.iter().copied()),
            ("not", &[a]) => t.not(a),
            ("=>", [premises @ .., conclusion]) => {
                premises.iter().rev().fold(*conclusion, |term, premise| t.implies(*premise, term))
            }
            ("ite", &[c, a, b]) => t.ite(c, a, b),
            ("=", [first, rest @ ..]) => {
                let equal: Vec<TermId> = rest.iter().map(|other| t.eq(*first, *other)).collect();
                t.and_all(equal)
            }
            ("distinct", &[a, b]) => t.ne(a, b),
            ("+", _) => t.add_all(args.iter().copied()),
            ("-", &[a]) => t.neg(a),
            ("-", [first, rest @ ..]) => rest.iter().fold(*first, |sum, other| t.sub(sum, *other)),
            ("*", [first, rest @ ..]) => rest.iter().fold(*first, |product, other| t.mul(product, *other)),
            ("div", &[a, b]) => t.div(a, b),
            ("mod", &[a, b]) => t.modulo(a, b),
            ("<=", &[a, b]) => t.le(a, b),
            ("<", &[a, b]) => t.lt(a, b),
            (">=", &[a, b]) => t.ge(a, b),
            (">", &[a, b]) => t.gt(a, b),
            ("select", &[a, i]) => t.select(a, i),
            ("store", &[a, i, v]) => t.store(a, i, v),
            _ => return None,
        })
    }

    /// `((as const (Array Int Int)) 0)`
    fn constant_array(&mut self, head: SExpr, rest: &'a [SExpr]) -> Option<TermId> {
        let [word, constant, sort] = self.context.get_list(head)? else { return None };
        let is = |expr: SExpr, atom: &str| self.context.get_atom(expr) == Some(atom);
        let ([element], true) = (rest, is(*word, "as") && is(*constant, "const")) else { return None };
        let Sort::Array(index, _) = self.sort(*sort)? else { return None };
        let element = self.term(*element)?;
        Some(self.terms.const_array((*index).clone(), element))
    }

    fn bound_by_let(&mut self, bindings: SExpr, body: SExpr) -> Option<TermId> {
        let mut named = Vec::new();
        for binding in self.context.get_list(bindings)? {
            let [name, expr] = self.context.get_list(*binding)? else { return None };
            named.push((self.context.get_atom(*name)?, self.term(*expr)?));
        }
        let outer = self.scope.len();
        self.scope.extend(named);
        let body = self.term(body);
        self.scope.truncate(outer);
        body
    }

    fn quantified(&mut self, op: &str, vars: SExpr, body: SExpr) -> Option<TermId> {
        let outer = self.scope.len();
        let bound = self.declare(vars)?;
        let body = self.term(body);
        self.scope.truncate(outer);
        Some(match op {
            "forall" => self.terms.forall(&bound, body?),
            _ => self.terms.exists(&bound, body?),
        })
    }

    /// New variables for `((x Int) (y Bool))`, in scope from here on.
    pub fn declare(&mut self, vars: SExpr) -> Option<Vec<TermId>> {
        let mut bound = Vec::new();
        for var in self.context.get_list(vars)? {
            let [name, sort] = self.context.get_list(*var)? else { return None };
            let name = self.context.get_atom(*name)?;
            let sort = self.sort(*sort)?;
            let term = self.terms.fresh_bound("a", sort);
            self.scope.push((name, term));
            bound.push(term);
        }
        Some(bound)
    }

    fn sort(&self, expr: SExpr) -> Option<Sort> {
        match self.context.get(expr) {
            SExprData::Atom("Bool") => Some(Sort::Bool),
            SExprData::Atom("Int") => Some(Sort::Int),
            SExprData::List([head, index, element]) if self.context.get_atom(*head) == Some("Array") => {
                Some(Sort::array(self.sort(*index)?, self.sort(*element)?))
            }
            SExprData::List([head, word, width]) if self.context.get_atom(*head) == Some("_") => {
                let is_bits = self.context.get_atom(*word) == Some("BitVec");
                is_bits.then(|| self.context.get_u32(*width).map(Sort::BitVec)).flatten()
            }
            SExprData::Atom(_) | SExprData::String(_) | SExprData::List(_) => None,
        }
    }
}
