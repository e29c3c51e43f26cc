//! The value of a term under an assignment: what constructors must not change, and what a model says about any term.

use super::fold::{fold_binary, fold_compare, fold_unary, ones, signed, wrapped};
use super::numbers::euclid;
use super::value::{same_value, size};
use super::{Op, Sort, TermId, Terms, Value};
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};
use rustc_hash::FxHashMap;

/// Quantifiers and lambdas are worked out value by value up to this many.
const LARGEST_DOMAIN: u32 = 1 << 8;

impl Terms {
    /// The value of `term` where `assigned` gives that of constants and of applied uninterpreted functions. `None` where
    /// it has no answer, for division of integers by zero, and for binders over more values than can be tried.
    pub fn evaluate(&self, term: TermId, assigned: &dyn Fn(&Op, &[Value]) -> Option<Value>) -> Option<Value> {
        Evaluator { terms: self, assigned, closed: FxHashMap::default() }.eval(term, &FxHashMap::default())
    }
}

struct Evaluator<'a> {
    terms: &'a Terms,
    assigned: &'a dyn Fn(&Op, &[Value]) -> Option<Value>,
    /// What does not depend on bound variables.
    closed: FxHashMap<TermId, Option<Value>>,
}

impl Evaluator<'_> {
    fn eval(&mut self, root: TermId, bound: &FxHashMap<TermId, Value>) -> Option<Value> {
        let mut open: FxHashMap<TermId, Option<Value>> = FxHashMap::default();
        let mut pending = vec![(root, false)];
        while let Some((term, ready)) = pending.pop() {
            if self.closed.contains_key(&term) || open.contains_key(&term) {
                continue;
            }
            let binder = matches!(self.terms.op(term), Op::Lambda | Op::Forall | Op::Exists);
            if !ready && !binder {
                pending.push((term, true));
                pending.extend(self.terms.args(term).iter().map(|arg| (*arg, false)));
                continue;
            }
            let value = if binder { self.binder(term, bound) } else { self.apply(term, &open, bound) };
            let known = if self.terms.is_closed(term) { &mut self.closed } else { &mut open };
            known.insert(term, value);
        }
        self.closed.get(&root).or_else(|| open.get(&root)).cloned().flatten()
    }

    fn binder(&mut self, term: TermId, bound: &FxHashMap<TermId, Value>) -> Option<Value> {
        let (body, vars) = self.terms.args(term).split_last()?;
        let rows = self.assignments(vars, bound)?;
        let mut results = Vec::with_capacity(rows.len());
        for row in &rows {
            results.push(self.eval(*body, row)?);
        }
        match self.terms.op(term) {
            Op::Forall => Some(Value::Bool(results.iter().all(|value| value.as_bool() == Some(true)))),
            Op::Exists => Some(Value::Bool(results.iter().any(|value| value.as_bool() == Some(true)))),
            _ => {
                let mut array = super::ArrayValue { default: results.first()?.clone(), entries: Vec::new() };
                for (row, value) in rows.iter().zip(results) {
                    array.set(row[&vars[0]].clone(), value);
                }
                Some(Value::Array(Box::new(array)))
            }
        }
    }

    /// `bound` extended with every combination of values of the variables.
    fn assignments(
        &self,
        vars: &[TermId],
        bound: &FxHashMap<TermId, Value>,
    ) -> Option<Vec<FxHashMap<TermId, Value>>> {
        let mut rows = vec![bound.clone()];
        for var in vars {
            let values = all_values(self.terms.sort(*var))?;
            if rows.len() * values.len() > LARGEST_DOMAIN as usize {
                return None;
            }
            rows = rows
                .iter()
                .flat_map(|row| {
                    values.iter().map(|value| {
                        let mut row = row.clone();
                        row.insert(*var, value.clone());
                        row
                    })
                })
                .collect();
        }
        Some(rows)
    }

    /// The value of a term whose arguments are known.
    fn apply(
        &self,
        term: TermId,
        open: &FxHashMap<TermId, Option<Value>>,
        bound: &FxHashMap<TermId, Value>,
    ) -> Option<Value> {
        let node = self.terms.get(term);
        let arg = |index: usize| {
            let id = node.args.get(index)?;
            self.closed.get(id).or_else(|| open.get(id))?.clone()
        };
        match &node.op {
            Op::Ite => return if arg(0)?.as_bool()? { arg(1) } else { arg(2) },
            // Connectives are decided by one argument, whatever the others are.
            Op::And | Op::Or => {
                let absorbing = node.op == Op::Or;
                let values: Vec<_> = (0..node.args.len()).map(|i| arg(i).and_then(|v| v.as_bool())).collect();
                if values.contains(&Some(absorbing)) {
                    return Some(Value::Bool(absorbing));
                }
                return values.iter().all(Option::is_some).then_some(Value::Bool(!absorbing));
            }
            Op::Bound(_) => return bound.get(&term).cloned(),
            _ => {}
        }
        let args: Vec<Value> = (0..node.args.len()).map(arg).collect::<Option<_>>()?;
        match &node.op {
            Op::Symbol(_) | Op::Apply(_) => (self.assigned)(&node.op, &args),
            Op::Eq => {
                let sort = self.terms.sort(node.args[0]);
                Some(Value::Bool(same_value(&args[0], &args[1], sort)))
            }
            op => evaluate_op(op, &args),
        }
    }
}

fn all_values(sort: &Sort) -> Option<Vec<Value>> {
    let size = size(sort)?.to_u32().filter(|size| *size <= LARGEST_DOMAIN)?;
    Some(
        (0..size)
            .map(|n| match sort {
                Sort::BitVec(width) => Value::BitVec(n.into(), *width),
                Sort::Bool | Sort::Int | Sort::Array(..) => Value::Bool(n == 1),
            })
            .collect(),
    )
}

/// The operations that look at nothing but their arguments' values.
fn evaluate_op(op: &Op, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (Op::Bool(value), _) => Some(Value::Bool(*value)),
        (Op::Int(value), _) => Some(Value::Int(value.clone())),
        (Op::BitVec(value, width), _) => Some(Value::BitVec(value.clone(), *width)),
        (Op::Not, [Value::Bool(a)]) => Some(Value::Bool(!a)),
        (Op::ConstArray, [element]) => Some(Value::array(element.clone())),
        (Op::Select, [Value::Array(array), index]) => Some(array.get(index).clone()),
        (Op::Store, [Value::Array(array), index, value]) => {
            let mut array = array.clone();
            array.set(index.clone(), value.clone());
            Some(Value::Array(array))
        }
        (Op::IntToBv(width), [Value::Int(a)]) => Some(Value::BitVec(wrapped(a, *width), *width)),
        (_, [Value::Int(_), ..]) => evaluate_int(op, args),
        (_, [Value::BitVec(a, width), rest @ ..]) => evaluate_bits(op, a, *width, rest),
        _ => None,
    }
}

fn evaluate_int(op: &Op, args: &[Value]) -> Option<Value> {
    let ints: Vec<&BigInt> = args.iter().map(Value::as_int).collect::<Option<_>>()?;
    match (op, ints.as_slice()) {
        (Op::Add, ints) => Some(Value::Int(ints.iter().copied().sum())),
        (Op::Mul, ints) => Some(Value::Int(ints.iter().copied().product())),
        (Op::Neg, [a]) => Some(Value::Int(-*a)),
        (Op::Div, [a, b]) if !b.is_zero() => Some(Value::Int(euclid(a, b).0)),
        (Op::Mod, [a, b]) if !b.is_zero() => Some(Value::Int(euclid(a, b).1)),
        (Op::Le, [a, b]) => Some(Value::Bool(a <= b)),
        (Op::Lt, [a, b]) => Some(Value::Bool(a < b)),
        _ => None,
    }
}

fn evaluate_bits(op: &Op, a: &BigUint, width: u32, rest: &[Value]) -> Option<Value> {
    match (op, rest) {
        (Op::BvNeg | Op::BvNot, []) => Some(Value::BitVec(fold_unary(op, a, width), width)),
        (&Op::Extract(high, low), []) => {
            let width = high - low + 1;
            Some(Value::BitVec((a >> low) & ones(width), width))
        }
        (Op::ZeroExtend(extra), []) => Some(Value::BitVec(a.clone(), width + extra)),
        (Op::SignExtend(extra), []) => {
            Some(Value::BitVec(wrapped(&signed(a, width), width + extra), width + extra))
        }
        (Op::BvToInt, []) => Some(Value::Int(a.clone().into())),
        (Op::Concat, [Value::BitVec(b, low)]) => Some(Value::BitVec((a << *low) | b, width + low)),
        (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [Value::BitVec(b, _)]) => {
            Some(Value::Bool(fold_compare(op, a, b, width)))
        }
        (_, [Value::BitVec(b, _)]) => Some(Value::BitVec(fold_binary(op, a, b, width), width)),
        _ => None,
    }
}
