//! Shifts of mathematical integers: products and quotients with powers of two. A variable amount selects its power from a table;
//! solvers cope much better with that than with bits of integers.

use super::format::{Format, power_of_two};
use super::{Ints, integers};
use hornet_ir::expr::BinOp;
use hornet_smt::term::{TermId, Terms};
use num_traits::ToPrimitive;

/// `Shl` or `Shr` by an unsigned number of format `g`.
pub(super) fn shift(
    t: &mut Terms,
    op: BinOp,
    (f, a): (Format, TermId),
    (g, by): (Format, TermId),
    wraps: bool,
) -> TermId {
    // All bits are gone from the width on.
    let amount = t.as_int(by).map(|n| n.to_u32().map_or(f.bits, |n| n.min(f.bits)));
    match (op == BinOp::Shl, amount) {
        (true, Some(amount)) if amount < f.bits => left(t, f, a, amount, wraps),
        (true, Some(_)) => t.int(0),
        (true, None) => {
            let factor = Ints::power_of_two_table(t, f.bits, (g, by));
            let product = t.mul(a, factor);
            if wraps { integers::wrap(t, f, product) } else { product }
        }
        (false, Some(amount)) if amount == f.bits => all_gone(t, f, a),
        (false, Some(amount)) => right(t, a, amount),
        (false, None) => {
            let divisor = Ints::power_of_two_table(t, f.bits, (g, by));
            let quotient = t.div(a, divisor);
            if g.max() < f.bits.into() {
                return quotient;
            }
            let limit = t.int(f.bits);
            let (inside, beyond) = (t.lt(by, limit), all_gone(t, f, a));
            t.ite(inside, quotient, beyond)
        }
    }
}

/// `a` shifted left by less than the width.
pub(super) fn left(t: &mut Terms, f: Format, a: TermId, by: u32, wraps: bool) -> TermId {
    let factor = t.int(power_of_two(by));
    if !wraps || by == 0 {
        return t.mul(a, factor);
    }
    if f.signed {
        let product = t.mul(a, factor);
        return integers::remainder(t, f, product);
    }
    // Only the bits that stay.
    let kept = Format { bits: f.bits - by, signed: false };
    let low = integers::remainder(t, kept, a);
    t.mul(low, factor)
}

/// `a` shifted right: rounds towards minus infinity.
pub(super) fn right(t: &mut Terms, a: TermId, by: u32) -> TermId {
    let divisor = t.int(power_of_two(by));
    t.div(a, divisor)
}

/// `a` shifted right by its width or more: only the sign is left.
fn all_gone(t: &mut Terms, f: Format, a: TermId) -> TermId {
    let (zero, minus_one) = (t.int(0), t.int(-1));
    if !f.signed {
        return zero;
    }
    let not_negative = t.le(zero, a);
    t.ite(not_negative, zero, minus_one)
}
