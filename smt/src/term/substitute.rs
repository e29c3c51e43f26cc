//! Walking and rebuilding terms.

use super::{Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

impl Terms {
    /// `term` with `from` replaced by `to`. Names of bound variables are unique, so nothing is captured.
    pub fn replace(&mut self, term: TermId, from: TermId, to: TermId) -> TermId {
        let mut map = FxHashMap::default();
        map.insert(from, to);
        self.replace_all(term, &mut map)
    }

    /// `term` with every key of `map` replaced; `map` also collects what was rebuilt, to be used again.
    pub fn replace_all(&mut self, term: TermId, map: &mut FxHashMap<TermId, TermId>) -> TermId {
        if let Some(&done) = map.get(&term) {
            return done;
        }
        let node = self.get(term).clone();
        let args: Vec<TermId> = node.args.iter().map(|arg| self.replace_all(*arg, map)).collect();
        let result = if args[..] == node.args[..] { term } else { self.rebuild(node.op, &args, node.sort) };
        map.insert(term, result);
        result
    }

    /// The operation applied to new arguments, simplified as if made from scratch.
    pub fn rebuild(&mut self, op: Op, args: &[TermId], sort: Sort) -> TermId {
        match (&op, args) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and_all(args.iter().copied()),
            (Op::Or, _) => self.or_all(args.iter().copied()),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Add, _) => self.add_all(args.iter().copied()),
            (Op::Mul, &[a, b]) => self.mul(a, b),
            (Op::Neg, &[a]) => self.neg(a),
            (Op::Div, &[a, b]) => self.div(a, b),
            (Op::Mod, &[a, b]) => self.modulo(a, b),
            (Op::Le, &[a, b]) => self.le(a, b),
            (Op::Lt, &[a, b]) => self.lt(a, b),
            (Op::Select, &[a, i]) => self.select(a, i),
            (Op::Store, &[a, i, v]) => self.store(a, i, v),
            (Op::Lambda, &[var, body]) => self.lambda(var, body),
            (Op::Forall, [vars @ .., body]) => self.forall(vars, *body),
            (Op::Exists, [vars @ .., body]) => self.exists(vars, *body),
            _ => match self.rebuild_bits(&op, args) {
                Some(term) => term,
                None => self.intern(op, args, sort),
            },
        }
    }

    pub fn mentions(&self, term: TermId, what: TermId) -> bool {
        let mut found = false;
        self.walk(&[term], |t| found |= t == what);
        found
    }

    /// Calls `f` once with every subterm of `roots`, arguments before what they are used in.
    pub fn walk(&self, roots: &[TermId], mut f: impl FnMut(TermId)) {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|t| (*t, false)).collect();
        while let Some((term, expanded)) = stack.pop() {
            if expanded {
                f(term);
            } else if seen.insert(term) {
                stack.push((term, true));
                stack.extend(self.args(term).iter().rev().map(|t| (*t, false)));
            }
        }
    }
}
