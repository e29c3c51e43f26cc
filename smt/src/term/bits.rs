//! Bit-vectors.

use super::fold::{fold_binary, fold_compare, fold_unary, ones, signed, wrapped};
use super::{Op, Sort, TermId, Terms};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

impl Terms {
    /// The bit-vector of `value` modulo 2^width.
    pub fn bv(&mut self, value: impl Into<BigUint>, width: u32) -> TermId {
        debug_assert!(width > 0);
        self.intern(Op::BitVec(value.into() & ones(width), width), [], Sort::BitVec(width))
    }

    /// The width of a bit-vector term. Panics on other sorts: that is a bug of the caller, never of the input.
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => *width,
            other => panic!("{other} is not a bit-vector sort"),
        }
    }

    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvAdd, a, b)
    }

    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus = self.bv_neg(b);
        self.bv_add(a, minus)
    }

    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvMul, a, b)
    }

    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvUdiv, a, b)
    }

    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvSdiv, a, b)
    }

    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvUrem, a, b)
    }

    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvSrem, a, b)
    }

    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvAnd, a, b)
    }

    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvOr, a, b)
    }

    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvXor, a, b)
    }

    pub fn bv_shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvShl, a, b)
    }

    pub fn bv_lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvLshr, a, b)
    }

    pub fn bv_ashr(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(Op::BvAshr, a, b)
    }

    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        self.bv_unary(Op::BvNeg, a)
    }

    pub fn bv_not(&mut self, a: TermId) -> TermId {
        self.bv_unary(Op::BvNot, a)
    }

    pub fn bv_ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_compare(Op::BvUlt, a, b)
    }

    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_compare(Op::BvUle, a, b)
    }

    pub fn bv_slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_compare(Op::BvSlt, a, b)
    }

    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_compare(Op::BvSle, a, b)
    }

    fn bv_unary(&mut self, op: Op, a: TermId) -> TermId {
        let width = self.width(a);
        if let Some((value, _)) = self.as_bitvec(a) {
            let folded = fold_unary(&op, value, width);
            return self.bv(folded, width);
        }
        // Both are their own inverse.
        if *self.op(a) == op {
            return self.args(a)[0];
        }
        self.intern(op, [a], Sort::BitVec(width))
    }

    fn bv_binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let width = self.width(a);
        if let (Some((x, _)), Some((y, _))) = (self.as_bitvec(a), self.as_bitvec(b)) {
            let folded = fold_binary(&op, x, y, width);
            return self.bv(folded, width);
        }
        let commutes = matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor);
        // A constant comes first, so that rules have one side to look at.
        let swap = commutes && self.as_bitvec(a).is_none() && (self.as_bitvec(b).is_some() || b < a);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let simple = match op {
            Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor => self.simpler_commutative(&op, a, b),
            Op::BvUdiv | Op::BvSdiv | Op::BvUrem | Op::BvSrem => self.simpler_division(&op, a, b),
            _ => self.simpler_shift(&op, a, b),
        };
        simple.unwrap_or_else(|| self.intern(op, [a, b], Sort::BitVec(width)))
    }

    fn simpler_commutative(&mut self, op: &Op, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let all_ones = ones(width);
        if let Some((k, _)) = self.as_bitvec(a) {
            let (zero, one, full) = (k.is_zero(), k.is_one(), *k == all_ones);
            match op {
                Op::BvAdd | Op::BvOr | Op::BvXor if zero => return Some(b),
                Op::BvMul if one => return Some(b),
                Op::BvAnd if full => return Some(b),
                Op::BvMul | Op::BvAnd if zero => return Some(a),
                Op::BvOr if full => return Some(a),
                Op::BvXor if full => return Some(self.bv_not(b)),
                _ => {}
            }
            // `k op (l op x)` is `(k op l) op x`.
            if self.op(b) == op
                && let &[l, x] = self.args(b)
                && self.as_bitvec(l).is_some()
            {
                let folded = self.bv_binary(op.clone(), a, l);
                return Some(self.bv_binary(op.clone(), folded, x));
            }
        }
        let inverse = |of: Op, x, y| *self.op(x) == of && self.args(x)[0] == y;
        match op {
            Op::BvAnd | Op::BvOr if a == b => Some(a),
            Op::BvXor if a == b => Some(self.bv(BigUint::ZERO, width)),
            Op::BvAdd if inverse(Op::BvNeg, a, b) || inverse(Op::BvNeg, b, a) => {
                Some(self.bv(BigUint::ZERO, width))
            }
            Op::BvAnd if inverse(Op::BvNot, a, b) || inverse(Op::BvNot, b, a) => {
                Some(self.bv(BigUint::ZERO, width))
            }
            Op::BvOr | Op::BvXor if inverse(Op::BvNot, a, b) || inverse(Op::BvNot, b, a) => {
                Some(self.bv(all_ones, width))
            }
            _ => None,
        }
    }

    fn simpler_division(&mut self, op: &Op, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let (divisor, _) = self.as_bitvec(b)?;
        let (zero, one) = (divisor.is_zero(), divisor.is_one());
        match op {
            // In one bit, `1` is minus one for signed division; dividing by it still changes nothing.
            Op::BvUdiv | Op::BvSdiv if one => Some(a),
            Op::BvUrem | Op::BvSrem if one => Some(self.bv(BigUint::ZERO, width)),
            Op::BvUdiv if zero => Some(self.bv(ones(width), width)),
            Op::BvUrem | Op::BvSrem if zero => Some(a),
            _ => None,
        }
    }

    fn simpler_shift(&mut self, op: &Op, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if self.as_bitvec(a).is_some_and(|(value, _)| value.is_zero()) {
            return Some(a);
        }
        let (by, _) = self.as_bitvec(b)?;
        if by.is_zero() {
            return Some(a);
        }
        (*by >= BigUint::from(width) && *op != Op::BvAshr).then(|| self.bv(BigUint::ZERO, width))
    }

    fn bv_compare(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let width = self.width(a);
        if let (Some((x, _)), Some((y, _))) = (self.as_bitvec(a), self.as_bitvec(b)) {
            let folded = fold_compare(&op, x, y, width);
            return self.bool(folded);
        }
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        if a == b {
            return self.bool(!strict);
        }
        let signed = matches!(op, Op::BvSlt | Op::BvSle);
        let sign_bit = BigUint::one() << (width - 1);
        let (least, most) =
            if signed { (sign_bit.clone(), sign_bit - 1u32) } else { (BigUint::ZERO, ones(width)) };
        let is = |term, value: &BigUint| self.as_bitvec(term).is_some_and(|(v, _)| v == value);
        // Nothing is below the least or above the greatest value.
        if strict && (is(b, &least) || is(a, &most)) {
            return self.bool(false);
        }
        if !strict && (is(a, &least) || is(b, &most)) {
            return self.bool(true);
        }
        self.intern(op, [a, b], Sort::Bool)
    }

    /// `high` is the upper part.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let (high_width, low_width) = (self.width(high), self.width(low));
        let width = high_width + low_width;
        if let (Some((x, _)), Some((y, _))) = (self.as_bitvec(high), self.as_bitvec(low)) {
            let joined = (x << low_width) | y;
            return self.bv(joined, width);
        }
        // Neighbouring pieces of one vector.
        if let (&Op::Extract(top, middle), &Op::Extract(below, bottom)) = (self.op(high), self.op(low))
            && self.args(high) == self.args(low)
            && middle == below + 1
        {
            let whole = self.args(high)[0];
            return self.extract(top, bottom, whole);
        }
        if self.as_bitvec(high).is_some_and(|(value, _)| value.is_zero()) {
            return self.zero_extend(high_width, low);
        }
        self.intern(Op::Concat, [high, low], Sort::BitVec(width))
    }

    /// Bits `high` to `low` of `t`, both included, counted from the least significant.
    pub fn extract(&mut self, high: u32, low: u32, t: TermId) -> TermId {
        let full = self.width(t);
        debug_assert!(low <= high && high < full);
        let width = high - low + 1;
        if width == full {
            return t;
        }
        if let Some((value, _)) = self.as_bitvec(t) {
            let part = value >> low;
            return self.bv(part, width);
        }
        match (self.op(t).clone(), self.args(t)) {
            (Op::Extract(_, below), &[inner]) => return self.extract(high + below, low + below, inner),
            (Op::Concat, &[upper, lower]) => {
                let split = self.width(lower);
                if high < split {
                    return self.extract(high, low, lower);
                }
                if low >= split {
                    return self.extract(high - split, low - split, upper);
                }
            }
            (Op::ZeroExtend(_), &[inner]) if low >= self.width(inner) => {
                return self.bv(BigUint::ZERO, width);
            }
            (Op::ZeroExtend(_) | Op::SignExtend(_), &[inner]) if high < self.width(inner) => {
                return self.extract(high, low, inner);
            }
            _ => {}
        }
        self.intern(Op::Extract(high, low), [t], Sort::BitVec(width))
    }

    pub fn zero_extend(&mut self, extra: u32, t: TermId) -> TermId {
        let width = self.width(t) + extra;
        if extra == 0 {
            return t;
        }
        if let Some((value, _)) = self.as_bitvec(t) {
            let value = value.clone();
            return self.bv(value, width);
        }
        if let (&Op::ZeroExtend(more), &[inner]) = (self.op(t), self.args(t)) {
            return self.zero_extend(extra + more, inner);
        }
        self.intern(Op::ZeroExtend(extra), [t], Sort::BitVec(width))
    }

    pub fn sign_extend(&mut self, extra: u32, t: TermId) -> TermId {
        let old = self.width(t);
        let width = old + extra;
        if extra == 0 {
            return t;
        }
        if let Some((value, _)) = self.as_bitvec(t) {
            let value = wrapped(&signed(value, old), width);
            return self.bv(value, width);
        }
        match (self.op(t).clone(), self.args(t)) {
            (Op::SignExtend(more), &[inner]) => return self.sign_extend(extra + more, inner),
            // The upper bit is zero.
            (Op::ZeroExtend(more), &[inner]) => return self.zero_extend(extra + more, inner),
            _ => {}
        }
        self.intern(Op::SignExtend(extra), [t], Sort::BitVec(width))
    }

    /// The integer `t` modulo 2^width.
    pub fn int_to_bv(&mut self, width: u32, t: TermId) -> TermId {
        if let Some(value) = self.as_int(t) {
            let value = wrapped(value, width);
            return self.bv(value, width);
        }
        if let (Op::BvToInt, &[inner]) = (self.op(t), self.args(t)) {
            let had = self.width(inner);
            return if had <= width {
                self.zero_extend(width - had, inner)
            } else {
                self.extract(width - 1, 0, inner)
            };
        }
        self.intern(Op::IntToBv(width), [t], Sort::BitVec(width))
    }

    /// The unsigned value.
    pub fn bv_to_int(&mut self, t: TermId) -> TermId {
        if let Some((value, _)) = self.as_bitvec(t) {
            let value = BigInt::from(value.clone());
            return self.int(value);
        }
        match (self.op(t).clone(), self.args(t)) {
            (Op::IntToBv(width), &[inner]) => {
                let modulus = self.int(BigInt::one() << width);
                self.modulo(inner, modulus)
            }
            (Op::ZeroExtend(_), &[inner]) => self.bv_to_int(inner),
            _ => self.intern(Op::BvToInt, [t], Sort::Int),
        }
    }

    /// A bit-vector operation applied to new arguments; `None` for every other operation.
    pub(super) fn rebuild_bits(&mut self, op: &Op, args: &[TermId]) -> Option<TermId> {
        Some(match (op, args) {
            (Op::BvNeg | Op::BvNot, &[a]) => self.bv_unary(op.clone(), a),
            (
                Op::BvAdd
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvSdiv
                | Op::BvUrem
                | Op::BvSrem
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr,
                &[a, b],
            ) => self.bv_binary(op.clone(), a, b),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, &[a, b]) => self.bv_compare(op.clone(), a, b),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (&Op::Extract(high, low), &[a]) => self.extract(high, low, a),
            (&Op::ZeroExtend(extra), &[a]) => self.zero_extend(extra, a),
            (&Op::SignExtend(extra), &[a]) => self.sign_extend(extra, a),
            (&Op::IntToBv(width), &[a]) => self.int_to_bv(width, a),
            (Op::BvToInt, &[a]) => self.bv_to_int(a),
            _ => return None,
        })
    }
}
