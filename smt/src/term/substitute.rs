//! Walking and rebuilding terms.

use super::{Node, Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

impl Terms {
    /// `term` with `from` replaced by `to`. Nothing is captured: bound variables in the way are renamed.
    pub fn replace(&mut self, term: TermId, from: TermId, to: TermId) -> TermId {
        let mut map = FxHashMap::default();
        map.insert(from, to);
        // Only what is under its binder can mention a bound variable.
        let bound = matches!(self.op(from), Op::Bound(_)).then_some(from);
        self.substitute(term, &mut map, bound)
    }

    /// `term` with every key of `map` replaced; `map` also collects what was rebuilt, to be used again.
    pub fn replace_all(&mut self, term: TermId, map: &mut FxHashMap<TermId, TermId>) -> TermId {
        self.substitute(term, map, None)
    }

    /// `only` is the one bound variable that is replaced, if that is all: terms without it stay.
    fn substitute(
        &mut self,
        term: TermId,
        map: &mut FxHashMap<TermId, TermId>,
        only: Option<TermId>,
    ) -> TermId {
        // What a binder must not bind, worked out when the first one is met.
        let mut foreign: Option<FxHashSet<TermId>> = None;
        let mut pending = vec![(term, Visit::Enter)];
        while let Some((next, visit)) = pending.pop() {
            if map.contains_key(&next) {
                continue;
            }
            let result = match visit {
                Visit::Enter if only.is_some_and(|var| !self.free_variables(next).contains(&var)) => next,
                Visit::Enter => {
                    let foreign = matches!(self.op(next), Op::Lambda | Op::Forall | Op::Exists)
                        .then(|| &*foreign.get_or_insert_with(|| self.foreign_variables(map)));
                    if let Some(renamed) = foreign.and_then(|foreign| self.renamed(next, map, foreign)) {
                        pending.push((next, Visit::LikeRenamed(renamed)));
                        pending.push((renamed, Visit::Enter));
                    } else {
                        pending.push((next, Visit::Leave));
                        pending.extend(self.args(next).iter().rev().map(|arg| (*arg, Visit::Enter)));
                    }
                    continue;
                }
                Visit::LikeRenamed(renamed) => map[&renamed],
                Visit::Leave => {
                    let node = self.get(next);
                    let args: Vec<TermId> = node.args.iter().map(|arg| map[arg]).collect();
                    if args[..] == node.args[..] {
                        next
                    } else {
                        let (op, sort) = (node.op.clone(), node.sort.clone());
                        self.rebuild(op, &args, sort)
                    }
                }
            };
            map.insert(next, result);
        }
        map[&term]
    }

    /// The bound variables that replacing brings into a term.
    fn foreign_variables(&self, map: &FxHashMap<TermId, TermId>) -> FxHashSet<TermId> {
        map.iter()
            .filter(|(from, to)| from != to)
            .flat_map(|(from, to)| {
                let own = self.free_variables(*from);
                self.free_variables(*to).iter().filter(move |var| !own.contains(var))
            })
            .copied()
            .collect()
    }

    /// A quantifier or lambda with new variables, if its own ones are in the way of a substitution.
    fn renamed(
        &mut self,
        binder: TermId,
        map: &FxHashMap<TermId, TermId>,
        foreign: &FxHashSet<TermId>,
    ) -> Option<TermId> {
        let Node { op, args, sort } = self.get(binder).clone();
        let (body, vars) = args.split_last()?;
        let in_the_way =
            |var: &TermId| foreign.contains(var) || map.get(var).is_some_and(|replaced| replaced != var);
        if !vars.iter().any(in_the_way) {
            return None;
        }
        let mut new_args = Vec::with_capacity(args.len());
        let mut body = *body;
        for var in vars {
            let sort = self.sort(*var).clone();
            let new = self.fresh_bound("i", sort);
            body = self.replace(body, *var, new);
            new_args.push(new);
        }
        new_args.push(body);
        Some(self.intern(op, new_args, sort))
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

    /// Whether `what` is a part of `term`; a bound variable counts where it is free.
    pub fn mentions(&self, term: TermId, what: TermId) -> bool {
        if matches!(self.op(what), Op::Bound(_)) {
            return self.free_variables(term).contains(&what);
        }
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

enum Visit {
    Enter,
    Leave,
    /// The result is that of another term, which is the same but for the names of bound variables.
    LikeRenamed(TermId),
}
