//! Operations on the bits of mathematical integers: arithmetic where one operand is a constant of few runs of ones, else
//! through bit-vectors.

use super::format::{Format, power_of_two};
use super::{integers, vectors};
use hornet_ir::expr::BinOp;
use hornet_smt::term::{Op, TermId, Terms};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use std::ops::Range;

/// Masks with more runs of ones than this are cheaper as bit-vectors.
const MAX_RUNS: usize = 4;

pub(super) fn and(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    match masked(t, f, a, b) {
        Some((kept, _)) => kept,
        None => through_bits(t, f, a, b, Terms::bv_and),
    }
}

pub(super) fn or(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    // Bits of both are counted twice in the sum.
    match masked(t, f, a, b) {
        Some((both, sum)) => t.sub(sum, both),
        None => through_bits(t, f, a, b, Terms::bv_or),
    }
}

pub(super) fn xor(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    match masked(t, f, a, b) {
        Some((both, sum)) => {
            let once = t.sub(sum, both);
            t.sub(once, both)
        }
        None => through_bits(t, f, a, b, Terms::bv_xor),
    }
}

/// The bits that both have, and the plain sum, if one of the two is a simple mask.
fn masked(t: &mut Terms, f: Format, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
    let (mask, other) = match (t.as_int(a), t.as_int(b)) {
        (_, Some(mask)) => (f.unsigned(mask), a),
        (Some(mask), None) => (f.unsigned(mask), b),
        (None, None) => return None,
    };
    let runs = runs_of_ones(&mask);
    // A constant operand folds whatever the mask is.
    if runs.len() > MAX_RUNS && t.as_int(other).is_none() {
        return None;
    }
    let parts: Vec<TermId> = runs.into_iter().map(|run| bits_in_place(t, f, other, run)).collect();
    let kept = t.add_all(parts);
    let sum = t.add(a, b);
    Some((kept, sum))
}

/// The bits of `a` in a range of positions, where they are. Division rounds down, so this is right below zero too.
fn bits_in_place(t: &mut Terms, f: Format, a: TermId, run: Range<u32>) -> TermId {
    let unit = t.int(power_of_two(run.start));
    if run.end == f.bits {
        // With the sign, if there is one: all of `a` but the bits below.
        let below = t.modulo(a, unit);
        return t.sub(a, below);
    }
    let shifted = t.div(a, unit);
    let size = t.int(power_of_two(run.end - run.start));
    let bits = t.modulo(shifted, size);
    t.mul(bits, unit)
}

fn runs_of_ones(mask: &BigUint) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for position in (0..mask.bits()).filter(|i| mask.bit(*i)).map(|i| i as u32) {
        match runs.last_mut() {
            Some(run) if run.end == position => run.end += 1,
            _ => runs.push(position..position + 1),
        }
    }
    runs
}

pub(super) fn through_bits(
    t: &mut Terms,
    f: Format,
    a: TermId,
    b: TermId,
    op: fn(&mut Terms, TermId, TermId) -> TermId,
) -> TermId {
    let (a, b) = (to_bits(t, f, a), to_bits(t, f, b));
    let result = op(t, a, b);
    from_bits(t, f, result)
}

/// The two's complement of a number; what came from bits goes back to the same bits.
pub(super) fn to_bits(t: &mut Terms, f: Format, a: TermId) -> TermId {
    if let (Op::Ite, &[_, then, other]) = (t.op(a), t.args(a)) {
        for branch in [then, other] {
            if let (Op::BvToInt, &[bits]) = (t.op(branch), t.args(branch))
                && t.width(bits) == f.bits
                && from_bits(t, f, bits) == a
            {
                return bits;
            }
        }
    }
    t.int_to_bv(f.bits, a)
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

/// `Shl` or `Shr` by an unsigned number of format `by_format`.
pub(super) fn shift(
    t: &mut Terms,
    op: BinOp,
    (f, a): (Format, TermId),
    (by_format, by): (Format, TermId),
    wraps: bool,
) -> TermId {
    let Some(amount) = t.as_int(by).map(|n| shift_amount(f, n)) else {
        let (bits, by) = (to_bits(t, f, a), to_bits(t, by_format, by));
        let shifted = vectors::shift(t, op, (f, bits), by);
        return from_bits(t, f, shifted);
    };
    if op == BinOp::Shl && amount < f.bits {
        integers::shl(t, f, a, amount, wraps)
    } else if op == BinOp::Shl || (amount == f.bits && !f.signed) {
        t.int(0)
    } else {
        integers::shr(t, a, amount)
    }
}

/// A constant shift amount; all bits are gone from the width on.
fn shift_amount(f: Format, by: &BigInt) -> u32 {
    by.to_u32().map_or(f.bits, |n| n.min(f.bits))
}
