//! Random terms, made twice: as they are written down, and through the constructors that simplify.

use super::super::{Op, Sort, TermId, Terms, Value};
use fastrand::Rng;
use num_bigint::{BigInt, BigUint};

pub(super) struct Generator {
    pub(super) terms: Terms,
    pub(super) rng: Rng,
    /// Few variables for many binders, so that they hide and capture each other.
    bound: Vec<TermId>,
    in_scope: Vec<TermId>,
    /// Whether integers may be multiplied and divided by each other.
    pub(super) nonlinear: bool,
    /// Whether most terms are quantifiers and elements of lambdas.
    pub(super) binders: bool,
}

/// The same term twice.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) raw: TermId,
    pub(super) simple: TermId,
}

pub(super) fn small() -> Sort {
    Sort::BitVec(2)
}

const BINARY: [Op; 12] = [
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvSdiv,
    Op::BvUrem,
    Op::BvSrem,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
];

impl Generator {
    pub(super) fn new(seed: u64) -> Self {
        let mut terms = Terms::new();
        let bound = vec![
            terms.fresh_bound("i", small()),
            terms.fresh_bound("j", small()),
            terms.fresh_bound("b", Sort::Bool),
        ];
        Self {
            terms,
            rng: Rng::with_seed(seed),
            bound,
            in_scope: Vec::new(),
            nonlinear: true,
            binders: false,
        }
    }

    pub(super) fn sort(&mut self) -> Sort {
        match self.rng.u8(0..9) {
            0 | 1 => Sort::Bool,
            2 | 3 => Sort::Int,
            4 => small(),
            5 => Sort::BitVec(self.rng.u32(1..=9)),
            6 => Sort::array(small(), Sort::BitVec(3)),
            7 => Sort::array(Sort::Int, Sort::Int),
            _ => Sort::array(small(), Sort::array(Sort::Bool, Sort::Int)),
        }
    }

    /// A random value; integers are small or near a power of two.
    pub(super) fn value(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.rng.bool()),
            Sort::Int if self.rng.u8(0..10) == 0 => {
                Value::Int((BigInt::from(1) << 256) - self.rng.i64(-2..3))
            }
            Sort::Int => Value::Int(self.rng.i64(-4..5).into()),
            Sort::BitVec(width) => {
                let bits: Vec<u32> = (0..width.div_ceil(32)).map(|_| self.rng.u32(..)).collect();
                let value = match self.rng.u8(0..4) {
                    0 => BigUint::ZERO,
                    1 => (BigUint::from(1u32) << *width) - 1u32,
                    _ => BigUint::new(bits) % (BigUint::from(1u32) << *width),
                };
                Value::BitVec(value, *width)
            }
            Sort::Array(index, element) => {
                let mut value = Value::array(self.value(element));
                if let Value::Array(table) = &mut value {
                    for _ in 0..self.rng.u8(0..4) {
                        let (at, stored) = (self.value(index), self.value(element));
                        table.set(at, stored);
                    }
                }
                value
            }
        }
    }

    pub(super) fn term(&mut self, sort: &Sort, depth: u32) -> Pair {
        if depth == 0 || self.rng.u8(0..8) == 0 {
            let leaf = self.leaf(sort);
            return Pair { raw: leaf, simple: leaf };
        }
        let depth = depth - 1;
        match self.rng.u8(0..if self.binders { 4 } else { 8 }) {
            0 => {
                let args = [self.term(&Sort::Bool, depth), self.term(sort, depth), self.term(sort, depth)];
                return self.make(Op::Ite, &args, sort.clone());
            }
            1 => {
                let index = if self.binders || self.rng.bool() { small() } else { Sort::Int };
                let array_sort = Sort::array(index.clone(), sort.clone());
                // An index with variables of its own meets a lambda with binders inside.
                let array = if index == small() && !self.in_scope.is_empty() {
                    let var = self.bound[self.rng.usize(0..2)];
                    self.binder(Op::Lambda, var, sort, array_sort, depth)
                } else {
                    self.term(&array_sort, depth)
                };
                let at = self.term(&index, depth);
                return self.make(Op::Select, &[array, at], sort.clone());
            }
            _ => {}
        }
        match sort {
            Sort::Bool => self.bool_term(depth),
            Sort::Int => self.int_term(depth),
            Sort::BitVec(width) => self.bits_term(*width, depth),
            Sort::Array(index, element) => self.array_term(sort, index, element, depth),
        }
    }

    fn leaf(&mut self, sort: &Sort) -> TermId {
        let usable: Vec<TermId> =
            self.in_scope.iter().copied().filter(|var| self.terms.sort(*var) == sort).collect();
        if !usable.is_empty() && self.rng.u8(0..3) > 0 {
            return usable[self.rng.usize(0..usable.len())];
        }
        if self.rng.u8(0..3) == 0 {
            let value = self.value(sort);
            return self.terms.value(&value, sort).expect("a finite value");
        }
        let name = format!("{}{}", sort, self.rng.u8(0..2));
        self.terms.symbol(&name, sort.clone())
    }

    fn make(&mut self, op: Op, args: &[Pair], sort: Sort) -> Pair {
        let raw: Vec<TermId> = args.iter().map(|pair| pair.raw).collect();
        let simple: Vec<TermId> = args.iter().map(|pair| pair.simple).collect();
        Pair {
            raw: self.terms.intern(op.clone(), raw, sort.clone()),
            simple: self.terms.rebuild(op, &simple, sort),
        }
    }

    fn bool_term(&mut self, depth: u32) -> Pair {
        let bool = Sort::Bool;
        match self.rng.u8(if self.binders { 5..12 } else { 0..8 }) {
            0 => {
                let arg = self.term(&bool, depth);
                self.make(Op::Not, &[arg], bool)
            }
            1 | 2 => {
                let op = if self.rng.bool() { Op::And } else { Op::Or };
                let args: Vec<Pair> = (0..self.rng.u8(2..4)).map(|_| self.term(&Sort::Bool, depth)).collect();
                self.make(op, &args, bool)
            }
            3 => {
                let sort = self.sort();
                let args = [self.term(&sort, depth), self.term(&sort, depth)];
                self.make(Op::Eq, &args, bool)
            }
            4 => {
                let op = if self.rng.bool() { Op::Le } else { Op::Lt };
                let args = [self.term(&Sort::Int, depth), self.term(&Sort::Int, depth)];
                self.make(op, &args, bool)
            }
            5 | 6 => {
                let ops = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];
                let op = ops[self.rng.usize(0..4)].clone();
                let sort = if self.binders { small() } else { Sort::BitVec(self.rng.u32(1..6)) };
                let args = [self.term(&sort, depth), self.term(&sort, depth)];
                self.make(op, &args, bool)
            }
            _ => {
                let op = if self.rng.bool() { Op::Forall } else { Op::Exists };
                let var = self.bound[self.rng.usize(0..3)];
                self.binder(op, var, &bool, bool.clone(), depth)
            }
        }
    }

    fn binder(&mut self, op: Op, var: TermId, body: &Sort, sort: Sort, depth: u32) -> Pair {
        self.in_scope.push(var);
        let body = self.term(body, depth);
        self.in_scope.pop();
        self.make(op, &[Pair { raw: var, simple: var }, body], sort)
    }

    fn int_term(&mut self, depth: u32) -> Pair {
        let int = Sort::Int;
        let (a, b) = (self.term(&int, depth), self.term(&int, depth));
        let number = self.rng.i64(-4..5);
        let number = self.terms.int(number);
        let number = Pair { raw: number, simple: number };
        let b = if self.nonlinear { b } else { number };
        match self.rng.u8(0..7) {
            0 => {
                let c = self.term(&int, depth);
                self.make(Op::Add, &[a, b, c], int)
            }
            1 => self.make(Op::Add, &[a, b], int),
            2 => self.make(Op::Mul, &[b, a], int),
            3 => self.make(Op::Neg, &[a], int),
            4 => self.make(Op::Div, &[a, b], int),
            5 => self.make(Op::Mod, &[a, b], int),
            _ => {
                let width = self.rng.u32(1..6);
                let bits = self.term(&Sort::BitVec(width), depth);
                self.make(Op::BvToInt, &[bits], int)
            }
        }
    }

    fn bits_term(&mut self, width: u32, depth: u32) -> Pair {
        let sort = Sort::BitVec(width);
        match self.rng.u8(0..10) {
            0 if width > 1 => {
                let low = self.rng.u32(1..width);
                let args =
                    [self.term(&Sort::BitVec(width - low), depth), self.term(&Sort::BitVec(low), depth)];
                self.make(Op::Concat, &args, sort)
            }
            1 => {
                let low = self.rng.u32(0..4);
                let above = self.rng.u32(0..4);
                let whole = self.term(&Sort::BitVec(low + width + above), depth);
                self.make(Op::Extract(low + width - 1, low), &[whole], sort)
            }
            2 if width > 1 => {
                let extra = self.rng.u32(1..width);
                let op = if self.rng.bool() { Op::ZeroExtend(extra) } else { Op::SignExtend(extra) };
                let inner = self.term(&Sort::BitVec(width - extra), depth);
                self.make(op, &[inner], sort)
            }
            3 => {
                let number = self.term(&Sort::Int, depth);
                self.make(Op::IntToBv(width), &[number], sort)
            }
            4 => {
                let op = if self.rng.bool() { Op::BvNeg } else { Op::BvNot };
                let arg = self.term(&sort, depth);
                self.make(op, &[arg], sort)
            }
            _ => {
                let op = BINARY[self.rng.usize(0..BINARY.len())].clone();
                let a = self.term(&sort, depth);
                let b = if self.rng.u8(0..6) == 0 { a } else { self.term(&sort, depth) };
                self.make(op, &[a, b], sort)
            }
        }
    }

    fn array_term(&mut self, sort: &Sort, index: &Sort, element: &Sort, depth: u32) -> Pair {
        match self.rng.u8(0..4) {
            0 => {
                let value = self.term(element, depth);
                self.make(Op::ConstArray, &[value], sort.clone())
            }
            1 if *index == small() => {
                let var = self.bound[self.rng.usize(0..2)];
                self.binder(Op::Lambda, var, element, sort.clone(), depth)
            }
            _ => {
                let args = [self.term(sort, depth), self.term(index, depth), self.term(element, depth)];
                self.make(Op::Store, &args, sort.clone())
            }
        }
    }
}
