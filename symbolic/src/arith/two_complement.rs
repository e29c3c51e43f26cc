//! Between mathematical integers and the bits that represent them.

use super::format::{Format, WORD, power_of_two};
use super::{Ints, vectors};
use hornet_ir::expr::BinOp;
use hornet_smt::term::{Op, TermId, Terms};
use num_bigint::ToBigInt;

/// The bits of a number. What was made of bits goes back to them.
pub(super) fn to_bits(t: &mut Terms, f: Format, a: TermId) -> TermId {
    complement_bits(t, f, a)
        .or_else(|| original_bits(t, f, a))
        .or_else(|| single_bit(t, f, a))
        .unwrap_or_else(|| t.int_to_bv(f.bits, a))
}

/// The number that bits stand for.
pub(super) fn from_bits(t: &mut Terms, f: Format, bits: TermId) -> TermId {
    let unsigned = t.bv_to_int(bits);
    if !f.signed {
        return unsigned;
    }
    let (half, modulus) = (t.int(power_of_two(f.bits - 1)), t.int(f.modulus()));
    let positive = t.lt(unsigned, half);
    let lowered = t.sub(unsigned, modulus);
    t.ite(positive, unsigned, lowered)
}

/// `-1 - x`, modulo the width, is the complement of `x`.
fn complement_bits(t: &mut Terms, f: Format, a: TermId) -> Option<TermId> {
    let (Op::Add, &[ones, minus]) = (t.op(a), t.args(a)) else { return None };
    let all_ones = f.unsigned(t.as_int(ones)?) == f.unsigned(&(-1).into());
    let (Op::Neg, &[x], true) = (t.op(minus), t.args(minus), all_ones) else { return None };
    let bits = to_bits(t, f, x);
    Some(t.bv_not(bits))
}

/// The bits that [`from_bits`] made this signed number of; unsigned ones fold by themselves.
fn original_bits(t: &mut Terms, f: Format, a: TermId) -> Option<TermId> {
    let (Op::Ite, &[_, unsigned, _]) = (t.op(a), t.args(a)) else { return None };
    let (Op::BvToInt, &[bits]) = (t.op(unsigned), t.args(unsigned)) else { return None };
    (t.width(bits) == f.bits && from_bits(t, f, bits) == a).then_some(bits)
}

/// A table of the powers of two is one bit shifted. Exponents of one byte have a table of their own.
fn single_bit(t: &mut Terms, f: Format, a: TermId) -> Option<TermId> {
    let (Op::Ite, &[below, ..]) = (t.op(a), t.args(a)) else { return None };
    let (Op::Lt, &[exponent, middle]) = (t.op(below), t.args(below)) else { return None };
    let size = f.bits.to_bigint()?;
    // A cheap test before the table is built for comparison.
    let middle = t.as_int(middle)?;
    if middle * 2 != size && middle * 2 != size + 1 {
        return None;
    }
    let byte = Format { bits: 8, signed: false };
    let is_table = [byte, WORD].into_iter().any(|g| Ints::power_of_two_table(t, f.bits, (g, exponent)) == a);
    if !is_table {
        return None;
    }
    let one = t.bv(1u32, f.bits);
    let by = t.int_to_bv(WORD.bits, exponent);
    Some(vectors::shift(t, BinOp::Shl, (f, one), by))
}
