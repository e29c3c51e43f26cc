//! Arrays: `select` computes through whatever the array is made of.

use super::{Op, Sort, TermId, Terms};

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
        match (self.op(array).clone(), self.args(array).to_vec().as_slice()) {
            (Op::ConstArray, &[element]) => element,
            (Op::Lambda, &[var, body]) => self.replace(body, var, index),
            (Op::Store, &[inner, at, value]) => match self.same(at, index) {
                Some(true) => value,
                Some(false) => self.select(inner, index),
                None => {
                    if self.has_lambda(inner) {
                        let cond = self.eq(at, index);
                        let below = self.select(inner, index);
                        return self.ite(cond, value, below);
                    }
                    self.plain_select(array, index)
                }
            },
            (Op::Ite, &[cond, then, other]) => {
                let then = self.select(then, index);
                let other = self.select(other, index);
                self.ite(cond, then, other)
            }
            _ => self.plain_select(array, index),
        }
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

    /// Whether two terms are certainly equal or certainly different.
    pub fn same(&mut self, a: TermId, b: TermId) -> Option<bool> {
        let eq = self.eq(a, b);
        if let Some(decided) = self.as_bool(eq) {
            return Some(decided);
        }
        // `x + 1` and `x + 2` differ, `x` and `x + 1` too.
        let (base_a, offset_a) = self.offset(a)?;
        let (base_b, offset_b) = self.offset(b)?;
        (base_a == base_b && offset_a != offset_b).then_some(false)
    }

    /// Whether a lambda is among what the array was built from, so that a plain `select` would hide it.
    fn has_lambda(&self, mut array: TermId) -> bool {
        loop {
            match (self.op(array), self.args(array)) {
                (Op::Lambda, _) => return true,
                (Op::Store, &[inner, ..]) => array = inner,
                (Op::Ite, &[_, then, other]) => {
                    if self.has_lambda(then) {
                        return true;
                    }
                    array = other;
                }
                _ => return false,
            }
        }
    }
}
