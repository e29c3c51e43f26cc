//! The EVM's operations on whole words that are not operators of the language.

use super::format::{Format, WORD, power_of_two};
use super::{Ints, integers, shifts, vectors};
use hornet_ir::expr::BinOp;
use hornet_smt::term::{TermId, Terms};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

impl Ints {
    /// `(a + b) % modulus` of the exact sum; modulo zero gives zero.
    pub fn addmod(&self, t: &mut Terms, a: TermId, b: TermId, modulus: TermId) -> TermId {
        if self.bits() {
            return exact_modulo(t, 1, [a, b, modulus], Terms::bv_add);
        }
        let sum = t.add(a, b);
        integers::modulo(t, WORD, sum, modulus)
    }

    /// `(a * b) % modulus` of the exact product; modulo zero gives zero.
    pub fn mulmod(&self, t: &mut Terms, a: TermId, b: TermId, modulus: TermId) -> TermId {
        if self.bits() {
            return exact_modulo(t, WORD.bits, [a, b, modulus], Terms::bv_mul);
        }
        let product = t.mul(a, b);
        integers::modulo(t, WORD, product, modulus)
    }

    /// The byte at `index` counted from the most significant; zero beyond the word.
    pub fn byte(&self, t: &mut Terms, index: TermId, word: TermId) -> TermId {
        let limit = self.number(t, WORD, &32.into());
        let inside = self.less(t, WORD, index, limit);
        // `8 * (31 - index)`; what it is beyond the word does not matter.
        let above = self.literal(t, 248);
        let shift = if self.bits() {
            let eight = t.bv(8u32, WORD.bits);
            let below = t.bv_mul(eight, index);
            t.bv_sub(above, below)
        } else {
            let eight = t.int(8);
            let below = t.mul(eight, index);
            t.sub(above, below)
        };
        let shifted = self.shift_right(t, word, shift);
        let low = self.low_bits(t, shifted, 8);
        let zero = self.literal(t, 0);
        t.ite(inside, low, zero)
    }

    /// Extends the sign of the `(k + 1)`-byte number in the word.
    pub fn signextend(&self, t: &mut Terms, k: TermId, word: TermId) -> TermId {
        let constant = match t.as_bitvec(k) {
            Some((k, _)) => Some(BigInt::from(k.clone())),
            None => t.as_int(k).cloned(),
        };
        if let Some(k) = constant {
            return match k.to_u32() {
                Some(k) if k < 31 => self.signextend_by(t, 8 * (k + 1), word),
                Some(_) | None => word,
            };
        }
        (0..31).rev().fold(word, |otherwise, bytes| {
            let here = self.literal(t, bytes);
            let same = t.eq(k, here);
            let extended = self.signextend_by(t, 8 * (bytes + 1), word);
            t.ite(same, extended, otherwise)
        })
    }

    /// The low `bits` bits as a signed number, as a word.
    fn signextend_by(&self, t: &mut Terms, bits: u32, word: TermId) -> TermId {
        if self.bits() {
            let low = t.extract(bits - 1, 0, word);
            return t.sign_extend(WORD.bits - bits, low);
        }
        let low = self.low_bits(t, word, bits);
        let half = t.int(power_of_two(bits - 1));
        let positive = t.lt(low, half);
        let ones_above = t.int(WORD.modulus() - power_of_two(bits));
        let negative = t.add(low, ones_above);
        t.ite(positive, low, negative)
    }

    /// The number of leading zero bits of a word.
    pub fn clz(&self, t: &mut Terms, word: TermId) -> TermId {
        self.clz_between(t, word, 0, WORD.bits)
    }

    /// As [`Ints::clz`], when the word is known to have between `low` and `high` significant bits: a search by halves.
    fn clz_between(&self, t: &mut Terms, word: TermId, low: u32, high: u32) -> TermId {
        if low == high {
            return self.literal(t, WORD.bits - low);
        }
        let middle = (low + high) / 2;
        let limit = self.number(t, WORD, &power_of_two(middle));
        let at_most_middle = self.less(t, WORD, word, limit);
        let fewer = self.clz_between(t, word, low, middle);
        let more = self.clz_between(t, word, middle + 1, high);
        t.ite(at_most_middle, fewer, more)
    }

    fn literal(&self, t: &mut Terms, number: u32) -> TermId {
        self.number(t, WORD, &number.into())
    }

    fn low_bits(&self, t: &mut Terms, word: TermId, bits: u32) -> TermId {
        if self.bits() {
            let low = t.extract(bits - 1, 0, word);
            return t.zero_extend(WORD.bits - bits, low);
        }
        let size = t.int(power_of_two(bits));
        t.modulo(word, size)
    }

    fn shift_right(&self, t: &mut Terms, word: TermId, by: TermId) -> TermId {
        if self.bits() {
            vectors::shift(t, BinOp::Shr, (WORD, word), by)
        } else {
            shifts::shift(t, BinOp::Shr, (WORD, word), (WORD, by), self.wraps())
        }
    }
}

/// `op` with so many additional bits that it is exact, then the remainder.
fn exact_modulo(
    t: &mut Terms,
    extra: u32,
    operands: [TermId; 3],
    op: fn(&mut Terms, TermId, TermId) -> TermId,
) -> TermId {
    let [a, b, modulus] = operands.map(|x| t.zero_extend(extra, x));
    let exact = op(t, a, b);
    let wide = Format { bits: WORD.bits + extra, signed: false };
    let rest = vectors::modulo(t, wide, exact, modulus);
    t.extract(WORD.bits - 1, 0, rest)
}
