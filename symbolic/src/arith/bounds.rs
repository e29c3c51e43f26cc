//! What the form of an integer term says about its value, whatever its symbols are.

use super::format::power_of_two;
use hornet_smt::term::{Op, TermId, Terms};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// How deep terms are looked into.
const MAX_DEPTH: u32 = 12;

/// A number that the term never exceeds; `None` also if it could be negative.
pub(super) fn natural_bound(t: &Terms, a: TermId) -> Option<BigInt> {
    bound_within(t, a, MAX_DEPTH)
}

fn bound_within(t: &Terms, a: TermId, depth: u32) -> Option<BigInt> {
    let depth = depth.checked_sub(1)?;
    let of = |a: &TermId| bound_within(t, *a, depth);
    match (t.op(a), t.args(a)) {
        (Op::Int(n), _) => (!n.is_negative()).then(|| n.clone()),
        (Op::BvToInt, [bits]) => Some(power_of_two(t.width(*bits)) - 1),
        (Op::Mod, [n, d]) => {
            let limit: BigInt = t.as_int(*d).filter(|d| d.is_positive())? - 1;
            Some(of(n).map_or(limit.clone(), |n| n.min(limit)))
        }
        (Op::Div, [n, d]) => {
            let d = t.as_int(*d).filter(|d| d.is_positive())?;
            Some(of(n)? / d)
        }
        (Op::Add, args) => args.iter().map(of).sum(),
        (Op::Mul, [x, y]) => Some(of(x)? * of(y)?),
        (Op::Ite, [_, x, y]) => Some(of(x)?.max(of(y)?)),
        _ => None,
    }
}

/// Whether a term that is not negative is below `limit`: a constant if its form tells.
pub(super) fn is_below(t: &mut Terms, a: TermId, limit: &BigInt) -> TermId {
    if natural_bound(t, a).is_some_and(|bound| bound < *limit) {
        return t.bool(true);
    }
    let limit = t.int(limit.clone());
    t.lt(a, limit)
}

/// How many of the low bits are zero, for certain; `limit` if all of them are.
pub(super) fn low_zeros(t: &Terms, a: TermId, limit: u32) -> u32 {
    zeros_within(t, a, MAX_DEPTH).map_or(limit, |zeros| zeros.min(u64::from(limit)) as u32)
}

/// `None` for zero.
fn zeros_within(t: &Terms, a: TermId, depth: u32) -> Option<u64> {
    let Some(depth) = depth.checked_sub(1) else { return Some(0) };
    let of = |a: &TermId| zeros_within(t, *a, depth);
    // Zero has more zeros than anything else.
    let least = |zeros: &mut dyn Iterator<Item = Option<u64>>| zeros.flatten().min();
    match (t.op(a), t.args(a)) {
        (Op::Int(n), _) => n.trailing_zeros(),
        (Op::Neg, [x]) => of(x),
        (Op::Mul, [x, y]) => Some(of(x)? + of(y)?),
        (Op::Add, args) => least(&mut args.iter().map(of)),
        // The remainder differs from the dividend by a multiple of the divisor.
        (Op::Mod, [n, d]) if t.as_int(*d).is_some_and(|d| !d.is_zero()) => {
            least(&mut [n, d].into_iter().map(of))
        }
        (Op::Ite, [_, x, y]) => least(&mut [x, y].into_iter().map(of)),
        _ => Some(0),
    }
}
