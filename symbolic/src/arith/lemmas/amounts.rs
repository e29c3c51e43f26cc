//! Facts about integers by which bit-vectors are shifted: solvers are slow to find them out bit by bit.

use super::when;
use crate::arith::format::power_of_two;
use hornet_smt::term::{TermId, Terms};
use num_bigint::BigInt;

/// `a` as a bit-vector.
pub(super) type Conversion = (TermId, TermId);

/// What is below the width stays so.
pub(super) fn about_amount(t: &mut Terms, (bits, a): Conversion, facts: &mut Vec<TermId>) {
    let width = t.width(bits);
    let small = in_range(t, a, width.into());
    let limit = t.bv(width, width);
    let below = t.bv_ult(bits, limit);
    facts.push(when(t, [small], below));
}

/// Different numbers have different bits.
pub(super) fn about_amounts(
    t: &mut Terms,
    (bits_a, a): Conversion,
    (bits_b, b): Conversion,
    facts: &mut Vec<TermId>,
) {
    if t.width(bits_a) != t.width(bits_b) {
        return;
    }
    let size = power_of_two(t.width(bits_a));
    let [a_in_range, b_in_range] = [a, b].map(|x| in_range(t, x, size.clone()));
    let (same_bits, same) = (t.eq(bits_a, bits_b), t.eq(a, b));
    facts.push(when(t, [a_in_range, b_in_range, same_bits], same));
}

fn in_range(t: &mut Terms, a: TermId, size: BigInt) -> TermId {
    let (zero, size) = (t.int(0), t.int(size));
    let (natural, below) = (t.le(zero, a), t.lt(a, size));
    t.and(natural, below)
}
