//! Arrays: `select` computes through whatever the array is made of.

use super::{Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

impl Terms {
    /// The array whose elements are all `element`.
    pub fn const_array(&mut self, index: Sort, element: TermId) -> TermId {
        let sort = Sort::array(index, self.sort(element).clone());
        self.intern(Op::ConstArray, [element], sort)
    }

    /// The array that maps the bound variable `var` to `body`.
    pub fn lambda(&mut self, var: TermId, body: TermId) -> TermId {
        let sort = Sort::array(self.sort(var).clone(), self.sort(body).clone());
        if !self.mentions(body, var) {
            return self.intern(Op::ConstArray, [body], sort);
        }
        // `lambda i. a[i]` is `a`.
        if let (Op::Select, &[array, index]) = (self.op(body), self.args(body))
            && index == var
            && !self.mentions(array, var)
        {
            return array;
        }
        self.intern(Op::Lambda, [var, body], sort)
    }

    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        debug_assert_eq!(self.sort(array).array_parts().0, self.sort(index));
        // Chains of `ite` share what is below them, so every array is looked at once; deep ones must not use up the stack.
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut pending = vec![array];
        while let Some(&next) = pending.last() {
            match self.select_step(next, index, &done) {
                Step::Done(element) => {
                    done.insert(next, element);
                    pending.pop();
                }
                Step::First(below) => pending.push(below),
            }
        }
        done[&array]
    }

    /// The element of one array, given those of the arrays below it.
    fn select_step(&mut self, array: TermId, index: TermId, done: &FxHashMap<TermId, TermId>) -> Step {
        if let Some(&element) = done.get(&array) {
            return Step::Done(element);
        }
        Step::Done(match (self.op(array), self.args(array)) {
            (Op::ConstArray, &[element]) => element,
            (Op::Lambda, &[var, body]) => self.replace(body, var, index),
            (Op::Store, &[inner, at, value]) => {
                let same = self.same(at, index);
                match (same, done.get(&inner)) {
                    (Some(true), _) => value,
                    (None, _) if !self.has_lambda(inner) => self.plain_select(array, index),
                    (_, None) => return Step::First(inner),
                    (Some(false), Some(&below)) => below,
                    (None, Some(&below)) => {
                        let cond = self.eq(at, index);
                        self.ite(cond, value, below)
                    }
                }
            }
            (Op::Ite, &[cond, then, other]) => match (done.get(&then), done.get(&other)) {
                (Some(&then), Some(&other)) => self.ite(cond, then, other),
                (None, _) => return Step::First(then),
                (_, None) => return Step::First(other),
            },
            _ => self.plain_select(array, index),
        })
    }

    fn plain_select(&mut self, array: TermId, index: TermId) -> TermId {
        let element = self.sort(array).array_parts().1.clone();
        self.intern(Op::Select, [array, index], element)
    }

    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        debug_assert_eq!(self.sort(array).array_parts(), (self.sort(index), self.sort(value)));
        match (self.op(array), self.args(array)) {
            // A later write to the same index hides the earlier one.
            (Op::Store, &[inner, at, _]) if at == index => return self.store(inner, index, value),
            (Op::ConstArray, &[element]) if element == value => return array,
            _ => {}
        }
        if let (Op::Select, &[from, at]) = (self.op(value), self.args(value))
            && from == array
            && at == index
        {
            return array;
        }
        let sort = self.sort(array).clone();
        self.intern(Op::Store, [array, index, value], sort)
    }

    /// The array that others are made of by writing to it.
    pub fn below_stores(&self, mut array: TermId) -> TermId {
        while let (Op::Store, &[inner, ..]) = (self.op(array), self.args(array)) {
            array = inner;
        }
        array
    }

    /// Whether two terms are certainly equal or certainly different.
    pub fn same(&mut self, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let (value_a, value_b) = (self.is_value(a), self.is_value(b));
        if value_a && value_b {
            return Some(false);
        }
        // A value against a choice of values; for other terms an equation would only fill the arena.
        if value_a && *self.op(b) == Op::Ite || value_b && *self.op(a) == Op::Ite {
            let eq = self.eq(a, b);
            return self.as_bool(eq);
        }
        // `x + 1` and `x + 2` differ, `x` and `x + 1` too.
        let (base_a, offset_a) = self.offset(a)?;
        let (base_b, offset_b) = self.offset(b)?;
        (base_a == base_b && offset_a != offset_b).then_some(false)
    }
}

enum Step {
    Done(TermId),
    /// The element of this array is needed before.
    First(TermId),
}
