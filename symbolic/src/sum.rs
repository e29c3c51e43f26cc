//! Sums over collections, exactly.
//!
//! The sum of a mapping is an unknown function of the mapping's array, and of nothing else. What a program does to the
//! array is known, so the sum after it follows: `sum(store(a, k, v)) = sum(a) - a[k] + v`. There is no shadow variable to
//! keep up to date, whichever way the collection changes. What remains are sums of arrays we know nothing about; for
//! them [`Context::sum_facts`] says that no part exceeds the whole.

use crate::context::{Context, Res, Unsupported};
use crate::eval::{Scope, one};
use crate::shape::LeafKind;
use crate::tree::{Key, Tree};
use hornet_ir::expr::{Expr, Root, Step};
use hornet_ir::ids::{BoundId, PlaceId, TypeId};
use hornet_ir::types::Type;
use hornet_smt::term::{Op, Sort, TermId};
use rustc_hash::FxHashMap;

/// Names of sum functions start like this; `s` or `u` tells whether elements are signed.
const SUM: &str = "sum.";
/// How far from the array's own length a sum is written out element by element.
const MAX_UNROLLED: i64 = 16;

/// How one level of a nested collection is summed.
#[derive(Clone, Copy)]
enum Level {
    /// A mapping, or an array of fixed length (whose other elements are zero).
    All,
    /// A dynamic array: up to this length, given for the level's own outer indices.
    UpTo(TermId),
}

impl Context<'_> {
    pub(crate) fn sum(&mut self, scope: &Scope, vars: &[BoundId], place: PlaceId, ty: TypeId) -> Res<TermId> {
        let node = self.program.exprs.place(place).clone();
        let (mut tree_ty, mut tree) = self.sum_root(scope, node.root)?;
        let mut steps = node.steps.to_vec();
        // Steps up to the first summed index are plain.
        while let Some(step) = steps.first().copied() {
            if self.is_summed(step, vars) {
                break;
            }
            let key = self.key(scope, step)?;
            tree = self.read(tree_ty, &tree, std::slice::from_ref(&key))?;
            tree_ty = self.type_at(tree_ty, std::slice::from_ref(&key))?;
            steps.remove(0);
        }
        let signed = matches!(self.program.types.get(ty), Type::Int { signed: true, .. });
        self.sum_steps(scope, vars, tree_ty, &tree, &steps, signed)
    }

    /// The sums over a mapping's or dynamic array's numbers, by leaf: ghosts that no code mentions and that often relate
    /// to a total.
    pub fn leaf_sums(&mut self, ty: TypeId, tree: &Tree) -> Vec<(usize, TermId)> {
        let level = match self.program.types.get(ty) {
            Type::Mapping { .. } => Level::All,
            Type::Array { len: None, .. } => Level::UpTo(tree[0]),
            _ => return Vec::new(),
        };
        let Ok(shape) = self.shape(ty) else { return Vec::new() };
        let mut sums = Vec::new();
        for (i, (leaf, term)) in shape.iter().zip(tree.iter()).enumerate() {
            let LeafKind::Scalar(scalar) = leaf.kind else { continue };
            let Type::Int { signed, .. } = *self.program.types.get(scalar) else { continue };
            if leaf.indices.len() == 1
                && let Ok(sum) = self.sum_of(*term, level, signed)
            {
                sums.push((i, sum));
            }
        }
        sums
    }

    fn sum_root(&mut self, scope: &Scope, root: Root) -> Res<(TypeId, Tree)> {
        Ok(match root {
            Root::State(var) => (self.program.state[var].ty, self.get(scope.now, crate::Var::State(var))?),
            Root::Storage(reference) => {
                let ty = self.referent(reference)?;
                let reference = self.eval(scope, reference)?;
                (ty, self.behind(scope, ty, &reference)?)
            }
            Root::Memory(reference) => {
                let ty = self.referent(reference)?;
                let reference = self.scalar(scope, reference)?;
                (ty, self.deep(scope.now, ty, reference)?)
            }
            Root::Calldata(reference) => {
                let ty = self.referent(reference)?;
                (ty, self.eval(scope, reference)?)
            }
        })
    }

    fn is_summed(&self, step: Step, vars: &[BoundId]) -> bool {
        let Step::Index(e) = step else { return false };
        matches!(self.program.exprs.get(e), Expr::Bound(var) if vars.contains(var))
    }

    /// Follows the steps to the single leaf that is summed, remembering how each summed level ends.
    fn sum_steps(
        &mut self,
        scope: &Scope,
        vars: &[BoundId],
        ty: TypeId,
        tree: &Tree,
        steps: &[Step],
        signed: bool,
    ) -> Res<TermId> {
        let Some((&first, rest)) = steps.split_first() else {
            return Err(Unsupported::new("sum of something that is no collection"));
        };
        if !self.is_summed(first, vars) {
            let key = self.key(scope, first)?;
            let part = self.read(ty, tree, std::slice::from_ref(&key))?;
            let part_ty = self.type_at(ty, std::slice::from_ref(&key))?;
            return self.sum_steps(scope, vars, part_ty, &part, rest, signed);
        }
        let level = match self.program.types.get(ty) {
            Type::Array { len: None, .. } => Level::UpTo(tree[0]),
            Type::Array { .. } | Type::Mapping { .. } => Level::All,
            _ => return Err(Unsupported::new("sum of something that is no collection")),
        };
        if rest.iter().any(|step| self.is_summed(*step, vars)) {
            return self.nested_sum(scope, vars, ty, tree, rest, signed, level);
        }
        let leaf = self.summed_leaf(scope, ty, tree, rest)?;
        self.sum_of(leaf, level, signed)
    }

    /// The array of numbers below one summed index, further steps being plain.
    fn summed_leaf(&mut self, scope: &Scope, ty: TypeId, tree: &Tree, rest: &[Step]) -> Res<TermId> {
        let keys = rest.iter().map(|step| self.key(scope, *step)).collect::<Res<Vec<Key>>>()?;
        // Through a variable index, then cut off again: `lambda i. tree[i].rest`, which is a leaf where `rest` is fields.
        let sort = self.index_sort(ty)?;
        let i = self.terms.fresh_bound("k", sort);
        let mut path = vec![Key::Index(one(i))];
        path.extend(keys);
        let element = self.read(ty, tree, &path)?;
        match element[..] {
            [number] => Ok(self.terms.lambda(i, number)),
            _ => Err(Unsupported::new("sum of something that is no number")),
        }
    }

    fn index_sort(&mut self, ty: TypeId) -> Res<Sort> {
        match self.program.types.get(ty).clone() {
            Type::Mapping { key, .. } => match &self.key_sorts(key)?[..] {
                [sort] => Ok(sort.clone()),
                _ => Err(Unsupported::new("sum over a mapping from bytes")),
            },
            _ => Ok(self.word_sort()),
        }
    }

    /// A sum of sums: the inner sums are the elements of the outer one.
    #[allow(clippy::too_many_arguments)]
    fn nested_sum(
        &mut self,
        scope: &Scope,
        vars: &[BoundId],
        ty: TypeId,
        tree: &Tree,
        rest: &[Step],
        signed: bool,
        level: Level,
    ) -> Res<TermId> {
        let sort = self.index_sort(ty)?;
        let i = self.terms.fresh_bound("k", sort);
        let key = [Key::Index(one(i))];
        let row = self.read(ty, tree, &key)?;
        let row_ty = self.type_at(ty, &key)?;
        self.open_facts.push(Vec::new());
        let inner = self.sum_steps(scope, vars, row_ty, &row, rest, signed);
        self.open_facts.pop();
        let rows = self.terms.lambda(i, inner?);
        self.sum_of(rows, level, signed)
    }

    fn sum_of(&mut self, array: TermId, level: Level, signed: bool) -> Res<TermId> {
        match level {
            Level::All => Ok(self.sum_all(array, signed)),
            Level::UpTo(length) => Ok(self.sum_up_to(array, length, signed)),
        }
    }

    fn wide(&mut self, number: TermId, signed: bool) -> TermId {
        match self.terms.sort(number) {
            Sort::BitVec(bits) if *bits < 512 => {
                let extra = 512 - bits;
                if signed {
                    self.terms.sign_extend(extra, number)
                } else {
                    self.terms.zero_extend(extra, number)
                }
            }
            _ => number,
        }
    }

    fn wide_sort(&self) -> Sort {
        match self.word_sort() {
            Sort::BitVec(_) => Sort::BitVec(512),
            sort => sort,
        }
    }

    fn wide_zero(&mut self) -> TermId {
        let wide = Type::Int { bits: 512, signed: false };
        self.ints.zero(&mut self.terms, &wide)
    }

    fn plus(&mut self, a: TermId, b: TermId) -> TermId {
        self.word_sum(a, b)
    }

    fn minus(&mut self, a: TermId, b: TermId) -> TermId {
        self.word_difference(a, b)
    }

    /// Over all indices.
    fn sum_all(&mut self, array: TermId, signed: bool) -> TermId {
        match (self.terms.op(array).clone(), self.terms.args(array).to_vec().as_slice()) {
            (Op::Store, &[inner, index, value]) => {
                let rest = self.sum_all(inner, signed);
                let old = self.terms.select(inner, index);
                let (old, value) = (self.wide(old, signed), self.wide(value, signed));
                let without = self.minus(rest, old);
                self.plus(without, value)
            }
            (Op::Ite, &[cond, then, other]) => {
                let (then, other) = (self.sum_all(then, signed), self.sum_all(other, signed));
                self.terms.ite(cond, then, other)
            }
            (Op::ConstArray, &[value]) if self.is_zero(value) => self.wide_zero(),
            (Op::Lambda, &[var, body]) => {
                let sum = self.lambda_sum(var, body, &|cx, array| cx.sum_all(array, signed));
                sum.unwrap_or_else(|| self.unknown_sum(array, None, signed))
            }
            _ => self.unknown_sum(array, None, signed),
        }
    }

    /// `lambda k. ite(k = j, x, y)` and `lambda k. sum(store(m, j, row)[k])` are updates in disguise.
    fn lambda_sum(
        &mut self,
        var: TermId,
        body: TermId,
        sum: &dyn Fn(&mut Self, TermId) -> TermId,
    ) -> Option<TermId> {
        let (Op::Ite, &[cond, then, other]) =
            (self.terms.op(body).clone(), self.terms.args(body).to_vec().as_slice())
        else {
            return None;
        };
        if !self.terms.mentions(cond, var) {
            let (then, other) = (self.terms.lambda(var, then), self.terms.lambda(var, other));
            let (then, other) = (sum(self, then), sum(self, other));
            return Some(self.terms.ite(cond, then, other));
        }
        let (Op::Eq, &[a, b]) = (self.terms.op(cond), self.terms.args(cond)) else { return None };
        let index = if a == var { b } else { a };
        if (a != var && b != var) || self.terms.mentions(index, var) {
            return None;
        }
        let inner = self.terms.lambda(var, other);
        let value = self.terms.replace(then, var, index);
        let updated = self.terms.store(inner, index, value);
        match self.terms.op(updated) {
            Op::Store => Some(sum(self, updated)),
            _ => None,
        }
    }

    fn is_zero(&self, value: TermId) -> bool {
        match self.terms.op(value) {
            Op::Int(n) => *n == 0.into(),
            Op::BitVec(n, _) => *n == 0u32.into(),
            _ => false,
        }
    }

    /// Over the indices below `length`.
    fn sum_up_to(&mut self, array: TermId, length: TermId, signed: bool) -> TermId {
        if self.is_zero(length) {
            return self.wide_zero();
        }
        match (self.terms.op(length).clone(), self.terms.args(length).to_vec().as_slice()) {
            (Op::Ite, &[cond, then, other]) => {
                let (then, other) =
                    (self.sum_up_to(array, then, signed), self.sum_up_to(array, other, signed));
                return self.terms.ite(cond, then, other);
            }
            (Op::Int(n), _) if n <= MAX_UNROLLED.into() && n > 0.into() => {
                let zero = self.terms.int(0);
                let count = n.try_into().unwrap_or(0);
                return self.elements(array, zero, 0, count, signed);
            }
            (Op::Add, [first, ..]) if self.terms.as_int(*first).is_some() => {
                if let Some(sum) = self.sum_near(array, length, *first, signed) {
                    return sum;
                }
            }
            _ => {}
        }
        self.sum_to_base(array, length, signed)
    }

    /// `base + k` elements are those of `base` and the next `k`, or all but the last `-k`.
    fn sum_near(&mut self, array: TermId, length: TermId, constant: TermId, signed: bool) -> Option<TermId> {
        let offset: i64 = self.terms.as_int(constant)?.try_into().ok()?;
        if offset.abs() > MAX_UNROLLED {
            return None;
        }
        let base = self.terms.sub(length, constant);
        let sum = self.sum_up_to(array, base, signed);
        let zero = self.wide_zero();
        let (from, to) = if offset > 0 { (0, offset) } else { (offset, 0) };
        let difference = self.elements(array, base, from, to, signed);
        let difference = if offset > 0 { difference } else { self.minus(zero, difference) };
        Some(self.plus(sum, difference))
    }

    fn elements(&mut self, array: TermId, base: TermId, from: i64, to: i64, signed: bool) -> TermId {
        let mut sum = self.wide_zero();
        for i in from..to {
            let offset = self.terms.int(i);
            let index = self.terms.add(base, offset);
            let element = self.terms.select(array, index);
            let element = self.wide(element, signed);
            sum = self.plus(sum, element);
        }
        sum
    }

    fn sum_to_base(&mut self, array: TermId, length: TermId, signed: bool) -> TermId {
        match (self.terms.op(array).clone(), self.terms.args(array).to_vec().as_slice()) {
            (Op::Store, &[inner, index, value]) => {
                let rest = self.sum_to_base(inner, length, signed);
                let zero = self.word(0);
                let inside = self.in_bounds(index, zero, length);
                let old = self.terms.select(inner, index);
                let (old, value) = (self.wide(old, signed), self.wide(value, signed));
                let change = self.minus(value, old);
                let changed = self.plus(rest, change);
                self.terms.ite(inside, changed, rest)
            }
            (Op::Ite, &[cond, then, other]) => {
                let then = self.sum_to_base(then, length, signed);
                let other = self.sum_to_base(other, length, signed);
                self.terms.ite(cond, then, other)
            }
            (Op::ConstArray, &[value]) if self.is_zero(value) => self.wide_zero(),
            (Op::Lambda, &[var, body]) => {
                let sum = self.lambda_sum(var, body, &|cx, array| cx.sum_to_base(array, length, signed));
                sum.unwrap_or_else(|| self.unknown_sum(array, Some(length), signed))
            }
            _ => self.unknown_sum(array, Some(length), signed),
        }
    }

    fn unknown_sum(&mut self, array: TermId, length: Option<TermId>, signed: bool) -> TermId {
        let args: Vec<TermId> = [array].into_iter().chain(length).collect();
        let params: Vec<Sort> = args.iter().map(|a| self.terms.sort(*a).clone()).collect();
        let sign = if signed { "s" } else { "u" };
        let name = format!("{SUM}{sign}.{}", params.iter().map(sort_name).collect::<Vec<_>>().join("."));
        let sort = self.wide_sort();
        let function = self.terms.function(&name, params, sort.clone());
        let sum = self.terms.apply(&function, &args);
        if sort == Sort::Int && self.ints.mode != crate::Arithmetic::Int {
            // Fewer than 2^256 numbers of at most 256 bits. Nobody could pay for so many in nested collections either.
            let wide = Type::Int { bits: 512, signed };
            let fact = self.ints.in_range(&mut self.terms, &self.program.types, &wide, sum);
            self.fact(fact);
        }
        sum
    }

    /// For every sum of unsigned numbers in the given terms: each element that is mentioned is not negative (it may have
    /// been overwritten without ever being read) and at most the sum, and so are two different ones together.
    pub fn sum_facts(&mut self, roots: &[TermId]) -> Vec<TermId> {
        // Mathematical integers have no sign to rely on.
        if self.ints.mode == crate::Arithmetic::Int {
            return Vec::new();
        }
        let (sums, reads) = self.sums_and_reads(roots);
        let mut facts = Vec::new();
        for sum in sums {
            let args = self.terms.args(sum).to_vec();
            let indices = reads.get(&args[0]).cloned().unwrap_or_default();
            for (n, i) in indices.iter().enumerate() {
                let first = self.part(&args, *i);
                let zero = self.wide_zero();
                facts.push(self.at_most(zero, first));
                facts.push(self.at_most(first, sum));
                for j in &indices[..n] {
                    let second = self.part(&args, *j);
                    let both = self.plus(first, second);
                    let bounded = self.at_most(both, sum);
                    let same = self.terms.eq(*i, *j);
                    facts.push(self.terms.or(same, bounded));
                }
            }
        }
        facts
    }

    /// An element as it counts in a sum: zero outside the bounds.
    fn part(&mut self, args: &[TermId], index: TermId) -> TermId {
        let element = self.terms.select(args[0], index);
        let element = self.wide(element, false);
        match args.get(1) {
            None => element,
            Some(length) => {
                let (low, zero) = (self.word(0), self.wide_zero());
                let inside = self.in_bounds(index, low, *length);
                self.terms.ite(inside, element, zero)
            }
        }
    }

    fn at_most(&mut self, a: TermId, b: TermId) -> TermId {
        match self.terms.sort(a) {
            Sort::BitVec(_) => self.terms.bv_ule(a, b),
            _ => self.terms.le(a, b),
        }
    }

    /// Sums of unsigned numbers, and at which indices their arrays are read.
    fn sums_and_reads(&self, roots: &[TermId]) -> (Vec<TermId>, FxHashMap<TermId, Vec<TermId>>) {
        let mut sums = Vec::new();
        let mut reads: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        let unsigned = format!("{SUM}u");
        self.terms.walk(roots, |term| match self.terms.op(term) {
            Op::Apply(function) if function.name.starts_with(&unsigned) => sums.push(term),
            Op::Select => {
                let args = self.terms.args(term);
                if !self.has_bound(args[1]) && !self.has_bound(args[0]) {
                    reads.entry(args[0]).or_default().push(args[1]);
                }
            }
            _ => {}
        });
        sums.retain(|sum| !self.has_bound(*sum));
        (sums, reads)
    }

    fn has_bound(&self, term: TermId) -> bool {
        let mut found = false;
        self.terms.walk(&[term], |t| found |= matches!(self.terms.op(t), Op::Bound(_)));
        found
    }
}

fn sort_name(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "b".to_owned(),
        Sort::Int => "i".to_owned(),
        Sort::BitVec(bits) => format!("v{bits}"),
        Sort::Array(index, element) => format!("a{}{}", sort_name(index), sort_name(element)),
    }
}
