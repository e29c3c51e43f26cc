//! Integers, and linear normal forms: a sum is constants folded to the front, products of a number and a term merged.

use super::{Op, Sort, TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

impl Terms {
    pub fn int(&mut self, value: impl Into<BigInt>) -> TermId {
        self.intern(Op::Int(value.into()), [], Sort::Int)
    }

    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.add_all([a, b])
    }

    /// A sum in normal form: `k + c1*t1 + c2*t2 …`, terms in the order of their ids.
    pub fn add_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let mut constant = BigInt::zero();
        let mut parts: Vec<(TermId, BigInt)> = Vec::new();
        for term in terms {
            self.collect_sum(term, &BigInt::one(), &mut constant, &mut parts);
        }
        self.rebuild_sum(constant, parts)
    }

    fn collect_sum(
        &self,
        term: TermId,
        factor: &BigInt,
        constant: &mut BigInt,
        parts: &mut Vec<(TermId, BigInt)>,
    ) {
        match (self.op(term), self.args(term)) {
            (Op::Int(value), _) => *constant += value * factor,
            (Op::Add, args) => {
                args.iter().for_each(|arg| self.collect_sum(*arg, factor, constant, parts));
            }
            (Op::Neg, &[inner]) => self.collect_sum(inner, &-factor, constant, parts),
            (Op::Mul, &[k, inner]) if self.as_int(k).is_some() => {
                let k = self.as_int(k).map_or_else(BigInt::zero, |k| k * factor);
                self.collect_sum(inner, &k, constant, parts);
            }
            _ => match parts.iter_mut().find(|(t, _)| *t == term) {
                Some((_, count)) => *count += factor,
                None => parts.push((term, factor.clone())),
            },
        }
    }

    fn rebuild_sum(&mut self, constant: BigInt, mut parts: Vec<(TermId, BigInt)>) -> TermId {
        parts.retain(|(_, count)| !count.is_zero());
        parts.sort_by_key(|(term, _)| *term);
        let mut args: Vec<TermId> = Vec::with_capacity(parts.len() + 1);
        if !constant.is_zero() || parts.is_empty() {
            args.push(self.int(constant));
        }
        for (term, count) in parts {
            args.push(self.scaled(count, term));
        }
        match args.as_slice() {
            [one] => *one,
            _ => self.intern(Op::Add, args, Sort::Int),
        }
    }

    fn scaled(&mut self, count: BigInt, term: TermId) -> TermId {
        if count.is_one() {
            return term;
        }
        if count == -BigInt::one() {
            return self.intern(Op::Neg, [term], Sort::Int);
        }
        let count = self.int(count);
        self.intern(Op::Mul, [count, term], Sort::Int)
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        let mut constant = BigInt::zero();
        let mut parts = Vec::new();
        self.collect_sum(a, &-BigInt::one(), &mut constant, &mut parts);
        self.rebuild_sum(constant, parts)
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) =
            if self.as_int(b).is_some() || (b < a && self.as_int(a).is_none()) { (b, a) } else { (a, b) };
        if let Some(k) = self.as_int(a).cloned() {
            let mut constant = BigInt::zero();
            let mut parts = Vec::new();
            self.collect_sum(b, &k, &mut constant, &mut parts);
            return self.rebuild_sum(constant, parts);
        }
        self.intern(Op::Mul, [a, b], Sort::Int)
    }

    /// Euclidean quotient, as SMT-LIB's `div`: the remainder is never negative. Not folded for a zero divisor.
    pub fn div(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) if !y.is_zero() => {
                let quotient = euclid(x, y).0;
                self.int(quotient)
            }
            (_, Some(y)) if y.is_one() => a,
            (_, Some(y)) if self.is_below(a, y) => self.int(0),
            _ => match self.cut(a, b) {
                Some((bits, at)) => {
                    let upper = self.extract(self.width(bits) - 1, at, bits);
                    self.bv_to_int(upper)
                }
                None => self.intern(Op::Div, [a, b], Sort::Int),
            },
        }
    }

    /// Euclidean remainder, as SMT-LIB's `mod`.
    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) if !y.is_zero() => {
                let rest = euclid(x, y).1;
                self.int(rest)
            }
            (_, Some(y)) if y.is_one() => self.int(0),
            // What is in range already stays, so wrapping twice is wrapping once.
            (_, Some(y)) if self.is_below(a, y) => a,
            _ => match self.cut(a, b) {
                Some((bits, at)) => {
                    let lower = self.extract(at - 1, 0, bits);
                    self.bv_to_int(lower)
                }
                None => self.intern(Op::Mod, [a, b], Sort::Int),
            },
        }
    }

    /// The bits that a number is made of, and where a power of two cuts them: solvers take bits apart, but do not see
    /// them in remainders.
    fn cut(&self, number: TermId, divisor: TermId) -> Option<(TermId, u32)> {
        let (Op::BvToInt, &[bits]) = (self.op(number), self.args(number)) else { return None };
        let divisor = self.as_int(divisor)?.to_biguint()?;
        let at = u32::try_from(divisor.trailing_zeros()?).ok()?;
        (divisor.count_ones() == 1 && 0 < at && at < self.width(bits)).then_some((bits, at))
    }

    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(Op::Le, a, b)
    }

    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(Op::Lt, a, b)
    }

    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }

    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.lt(b, a)
    }

    fn compare(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let strict = op == Op::Lt;
        if let (Some((base_a, x)), Some((base_b, y))) = (self.offset(a), self.offset(b))
            && base_a == base_b
        {
            return self.bool(if strict { x < y } else { x <= y });
        }
        if let (Some((least_a, most_a)), Some((least_b, most_b))) = (self.bounds(a), self.bounds(b)) {
            let (certain, possible) = if strict {
                (most_a < least_b, least_a < most_b)
            } else {
                (most_a <= least_b, least_a <= most_b)
            };
            if certain || !possible {
                return self.bool(certain);
            }
        }
        self.intern(op, [a, b], Sort::Bool)
    }

    /// Whether a term is certainly its own remainder.
    fn is_below(&self, term: TermId, divisor: &BigInt) -> bool {
        self.bounds(term).is_some_and(|(least, most)| !least.is_negative() && most < divisor.abs())
    }

    /// The least and the greatest value that a term can have by its operation alone.
    fn bounds(&self, term: TermId) -> Option<(BigInt, BigInt)> {
        match (self.op(term), self.args(term)) {
            (Op::Int(value), _) => Some((value.clone(), value.clone())),
            (Op::Mod, &[_, by]) => {
                let by = self.as_int(by).filter(|by| !by.is_zero())?;
                Some((BigInt::zero(), by.abs() - 1))
            }
            (Op::BvToInt, &[bits]) => Some((BigInt::zero(), (BigInt::one() << self.width(bits)) - 1)),
            _ => None,
        }
    }

    /// An integer term as base plus constant; `None` as base for a plain number.
    pub(super) fn offset(&self, term: TermId) -> Option<(Option<Box<[TermId]>>, BigInt)> {
        if *self.sort(term) != Sort::Int {
            return None;
        }
        Some(match (self.op(term), self.args(term)) {
            (Op::Int(value), _) => (None, value.clone()),
            (Op::Add, [first, rest @ ..]) if self.as_int(*first).is_some() => {
                (Some(rest.into()), self.as_int(*first).cloned().unwrap_or_default())
            }
            (Op::Add, args) => (Some(args.into()), BigInt::zero()),
            _ => (Some([term].into()), BigInt::zero()),
        })
    }
}

pub(super) fn euclid(x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = x.div_mod_floor(y);
    if rest < BigInt::zero() { (quotient + 1, rest - y) } else { (quotient, rest) }
}
