//! Values of terms, as solvers report them in models and the evaluator computes them.

use super::{Sort, TermId, Terms};
use num_bigint::{BigInt, BigUint};

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Bool(bool),
    Int(BigInt),
    /// The value is below 2^width.
    BitVec(BigUint, u32),
    Array(Box<ArrayValue>),
    /// What the solver wrote, where that is not a finite table.
    Opaque(String),
}

/// A table with a value for every index that is not in it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    pub default: Value,
    /// Sorted by index, each index once.
    pub entries: Vec<(Value, Value)>,
}

impl ArrayValue {
    pub fn get(&self, index: &Value) -> &Value {
        match self.entries.binary_search_by(|(at, _)| at.cmp(index)) {
            Ok(found) => &self.entries[found].1,
            Err(_) => &self.default,
        }
    }

    pub fn set(&mut self, index: Value, value: Value) {
        match self.entries.binary_search_by(|(at, _)| at.cmp(&index)) {
            Ok(found) => self.entries[found].1 = value,
            Err(place) => self.entries.insert(place, (index, value)),
        }
    }
}

impl Value {
    pub fn array(default: Value) -> Value {
        Value::Array(Box::new(ArrayValue { default, entries: Vec::new() }))
    }

    /// Some value of the sort, always the same.
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::ZERO),
            Sort::BitVec(width) => Value::BitVec(BigUint::ZERO, *width),
            Sort::Array(_, element) => Value::array(Value::default_of(element)),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_bitvec(&self) -> Option<&BigUint> {
        match self {
            Value::BitVec(value, _) => Some(value),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }
}

/// Whether two values of one sort are equal. Tables may differ in form: where the entries cover every index, the
/// default is never seen.
pub(super) fn same_value(a: &Value, b: &Value, sort: &Sort) -> bool {
    let (Value::Array(x), Value::Array(y), Sort::Array(index, element)) = (a, b, sort) else {
        return a == b;
    };
    let mut indices: Vec<&Value> = x.entries.iter().chain(&y.entries).map(|(at, _)| at).collect();
    indices.sort_unstable();
    indices.dedup();
    let covered = size(index).is_some_and(|size| size <= BigUint::from(indices.len()));
    (covered || same_value(&x.default, &y.default, element))
        && indices.into_iter().all(|at| same_value(x.get(at), y.get(at), element))
}

/// How many values a sort has; `None` for infinitely many.
pub(super) fn size(sort: &Sort) -> Option<BigUint> {
    match sort {
        Sort::Bool => Some(BigUint::from(2u32)),
        Sort::BitVec(width) => Some(BigUint::from(1u32) << *width),
        Sort::Int | Sort::Array(..) => None,
    }
}

impl Terms {
    /// The value as a term of the sort; `None` for what is not a finite table or not of the sort.
    pub fn value(&mut self, value: &Value, sort: &Sort) -> Option<TermId> {
        Some(match (value, sort) {
            (Value::Bool(value), Sort::Bool) => self.bool(*value),
            (Value::Int(value), Sort::Int) => self.int(value.clone()),
            (Value::BitVec(value, width), Sort::BitVec(expected)) if width == expected => {
                self.bv(value.clone(), *width)
            }
            (Value::Array(table), Sort::Array(index, element)) => {
                let default = self.value(&table.default, element)?;
                let mut array = self.const_array((**index).clone(), default);
                for (at, stored) in &table.entries {
                    let at = self.value(at, index)?;
                    let stored = self.value(stored, element)?;
                    array = self.store(array, at, stored);
                }
                array
            }
            _ => return None,
        })
    }
}
