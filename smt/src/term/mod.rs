//! Sorted, hash-consed terms of first-order logic: what engines build and solvers read.
//!
//! Terms are made by the constructors in the files beside this one, which simplify as they go: constants fold, `select` sees through
//! `store`, `ite` and `lambda`, connectives flatten. So two terms that are trivially equal are the same [`TermId`].

mod arrays;
mod bits;
mod eval;
mod facts;
mod fold;
mod logic;
mod numbers;
mod print;
mod substitute;
#[cfg(test)]
mod tests;
mod value;

pub use print::{Dialect, Printer};
pub use value::{ArrayValue, Value};

use indexmap::IndexSet;
use num_bigint::{BigInt, BigUint};
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Bool,
    Int,
    BitVec(u32),
    Array(Arc<Sort>, Arc<Sort>),
}

impl Sort {
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new(index), Arc::new(element))
    }

    /// Index and element sorts. Panics on sorts that are not arrays: that is a bug of the caller, never of the input.
    pub fn array_parts(&self) -> (&Sort, &Sort) {
        match self {
            Sort::Array(index, element) => (index, element),
            Sort::Bool | Sort::Int | Sort::BitVec(_) => panic!("{self} is not an array sort"),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::BitVec(bits) => write!(f, "(_ BitVec {bits})"),
            Sort::Array(index, element) => write!(f, "(Array {index} {element})"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub(crate) u32);

/// An uninterpreted function; constants are [`Op::Symbol`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    pub name: Arc<str>,
    pub params: Vec<Sort>,
    pub result: Sort,
}

/// What a term does with its arguments. Division and remainder of integers are SMT-LIB's (Euclidean).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Bool(bool),
    Int(BigInt),
    /// The value is below 2^width.
    BitVec(BigUint, u32),
    /// A constant to be declared; its name is unique.
    Symbol(Arc<str>),
    /// A variable bound by a quantifier or lambda around it; its name is unique.
    Bound(Arc<str>),
    Apply(Arc<Function>),

    Not,
    And,
    Or,
    Ite,
    Eq,

    Add,
    Mul,
    Neg,
    Div,
    Mod,
    Le,
    Lt,

    BvAdd,
    BvMul,
    BvNeg,
    BvUdiv,
    BvSdiv,
    BvUrem,
    BvSrem,
    BvAnd,
    BvOr,
    BvXor,
    BvNot,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    Concat,
    /// Bits `high` to `low`, both included.
    Extract(u32, u32),
    ZeroExtend(u32),
    SignExtend(u32),
    /// The integer modulo 2^width as a bit-vector.
    IntToBv(u32),
    /// The unsigned value of a bit-vector.
    BvToInt,

    Select,
    Store,
    /// All elements are the argument; the sort says of which array sort.
    ConstArray,
    /// The arguments are the bound variable, then the body.
    Lambda,
    /// The arguments are the bound variables, then the body.
    Forall,
    Exists,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    pub op: Op,
    pub args: Box<[TermId]>,
    pub sort: Sort,
}

/// An arena of terms. Terms of different arenas must not be mixed.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: IndexSet<Node, FxBuildHasher>,
    /// Beside each node, what is known about it.
    facts: Vec<facts::Facts>,
    /// How many symbols were made, for unique names.
    fresh: u32,
}

impl Terms {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn get(&self, id: TermId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn op(&self, id: TermId) -> &Op {
        &self.get(id).op
    }

    pub fn args(&self, id: TermId) -> &[TermId] {
        &self.get(id).args
    }

    pub fn sort(&self, id: TermId) -> &Sort {
        &self.get(id).sort
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node as it is, without simplification.
    pub(crate) fn intern(&mut self, op: Op, args: impl Into<Box<[TermId]>>, sort: Sort) -> TermId {
        let (index, new) = self.nodes.insert_full(Node { op, args: args.into(), sort });
        if new {
            let facts = self.facts_of(&self.nodes[index], TermId(index as u32));
            self.facts.push(facts);
        }
        TermId(index as u32)
    }

    /// A new constant whose name starts with `hint`.
    pub fn fresh(&mut self, hint: &str, sort: Sort) -> TermId {
        let name = self.fresh_name(hint);
        self.intern(Op::Symbol(name), [], sort)
    }

    /// A new variable for a quantifier or lambda.
    pub fn fresh_bound(&mut self, hint: &str, sort: Sort) -> TermId {
        let name = self.fresh_name(hint);
        self.intern(Op::Bound(name), [], sort)
    }

    /// The constant of exactly this name; the caller keeps such names apart from fresh ones (which contain `!`).
    pub fn symbol(&mut self, name: &str, sort: Sort) -> TermId {
        self.intern(Op::Symbol(name.into()), [], sort)
    }

    fn fresh_name(&mut self, hint: &str) -> Arc<str> {
        self.fresh += 1;
        format!("{hint}!{}", self.fresh).into()
    }

    pub fn as_bool(&self, id: TermId) -> Option<bool> {
        match self.op(id) {
            Op::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub fn as_int(&self, id: TermId) -> Option<&BigInt> {
        match self.op(id) {
            Op::Int(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_bitvec(&self, id: TermId) -> Option<(&BigUint, u32)> {
        match self.op(id) {
            Op::BitVec(value, width) => Some((value, *width)),
            _ => None,
        }
    }

    /// Whether the term is a literal value, so that two different ones are unequal.
    pub fn is_value(&self, id: TermId) -> bool {
        matches!(self.op(id), Op::Bool(_) | Op::Int(_) | Op::BitVec(..))
    }
}
