//! Arithmetic on mathematical integers with explicit wrap-around, after Figure 3.9 of Hajdu's thesis.
//!
//! `wraps` says whether the result has to be brought back into its range; if not, it is known to be there, or there is none.

use super::bounds::natural_bound;
use super::format::Format;
use hornet_smt::term::{TermId, Terms};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Whether a number is one of the format.
pub(super) fn in_range(t: &mut Terms, f: Format, a: TermId) -> TermId {
    let (low, high) = (at_least_min(t, f, a), at_most_max(t, f, a));
    t.and(low, high)
}

pub(super) fn at_least_min(t: &mut Terms, f: Format, a: TermId) -> TermId {
    let min = t.int(f.min());
    t.le(min, a)
}

pub(super) fn at_most_max(t: &mut Terms, f: Format, a: TermId) -> TermId {
    let max = t.int(f.max());
    t.le(a, max)
}

pub(super) fn add(t: &mut Terms, f: Format, a: TermId, b: TermId, wraps: bool) -> TermId {
    let sum = t.add(a, b);
    if wraps && !is_zero(t, a) && !is_zero(t, b) { wrap_once(t, f, sum) } else { sum }
}

pub(super) fn sub(t: &mut Terms, f: Format, a: TermId, b: TermId, wraps: bool) -> TermId {
    let difference = t.sub(a, b);
    if !wraps || is_zero(t, b) {
        return difference;
    }
    if f.signed {
        return wrap_once(t, f, difference);
    }
    let modulus = t.int(f.modulus());
    let raised = t.add(difference, modulus);
    let fits = t.le(b, a);
    t.ite(fits, difference, raised)
}

/// The number of the format that is congruent to `a`, which is at most one modulus away.
fn wrap_once(t: &mut Terms, f: Format, a: TermId) -> TermId {
    if is_known(t, f, a) {
        return a;
    }
    let modulus = t.int(f.modulus());
    let lowered = t.sub(a, modulus);
    let not_above = at_most_max(t, f, a);
    let upper = t.ite(not_above, a, lowered);
    if !f.signed {
        return upper;
    }
    let raised = t.add(a, modulus);
    let not_below = at_least_min(t, f, a);
    t.ite(not_below, upper, raised)
}

pub(super) fn mul(t: &mut Terms, f: Format, a: TermId, b: TermId, wraps: bool) -> TermId {
    let product = t.mul(a, b);
    let trivial = |t: &Terms, x| t.as_int(x).is_some_and(|x| x.is_zero() || x.is_one());
    if !wraps || trivial(t, a) || trivial(t, b) { product } else { wrap(t, f, product) }
}

/// The number of the format that is congruent to `a`; `a` is not negative if the format is unsigned.
pub(super) fn wrap(t: &mut Terms, f: Format, a: TermId) -> TermId {
    if is_known(t, f, a) {
        return a;
    }
    let fits = if f.signed { in_range(t, f, a) } else { at_most_max(t, f, a) };
    let wrapped = remainder(t, f, a);
    t.ite(fits, a, wrapped)
}

/// As [`wrap`], without the case that nothing has to be done: for operations that are about the low bits.
pub(super) fn remainder(t: &mut Terms, f: Format, a: TermId) -> TermId {
    if is_known(t, f, a) {
        return a;
    }
    let (modulus, min) = (t.int(f.modulus()), t.int(f.min()));
    let from_zero = t.sub(a, min);
    let rest = t.modulo(from_zero, modulus);
    t.add(rest, min)
}

pub(super) fn neg(t: &mut Terms, f: Format, a: TermId, wraps: bool) -> TermId {
    let minus = t.neg(a);
    if !wraps {
        return minus;
    }
    // One number has no negation: the least, or all but zero.
    let (exception, wrapped) = if f.signed {
        let min = t.int(f.min());
        (t.eq(a, min), min)
    } else {
        let (zero, modulus) = (t.int(0), t.int(f.modulus()));
        let wrapped = t.add(modulus, minus);
        (t.ne(a, zero), wrapped)
    };
    t.ite(exception, wrapped, minus)
}

pub(super) fn not(t: &mut Terms, f: Format, a: TermId) -> TermId {
    // All bits set is -1 or the greatest number.
    let ones = t.int(f.wrap(&-BigInt::one()));
    t.sub(ones, a)
}

/// Truncates towards zero; by zero gives zero.
pub(super) fn div(t: &mut Terms, f: Format, a: TermId, b: TermId, wraps: bool) -> TermId {
    if !f.signed {
        let quotient = t.div(a, b);
        return unless_zero(t, b, quotient);
    }
    if t.as_int(b).is_some_and(|b| *b == -BigInt::one()) {
        return neg(t, f, a, wraps);
    }
    let quotient = towards_zero(t, a, b, Terms::div);
    let quotient = if wraps && t.as_int(b).is_none() {
        let (min, minus_one) = (t.int(f.min()), t.int(-1));
        let overflows = both_equal(t, (a, min), (b, minus_one));
        t.ite(overflows, min, quotient)
    } else {
        quotient
    };
    unless_zero(t, b, quotient)
}

/// For the only quotient that is not a number of the format: the least by minus one.
pub(super) fn both_equal(t: &mut Terms, (a, b): (TermId, TermId), (c, d): (TermId, TermId)) -> TermId {
    let (first, second) = (t.eq(a, b), t.eq(c, d));
    t.and(first, second)
}

/// The sign of the dividend; modulo zero gives zero.
pub(super) fn modulo(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    let rest = if f.signed { towards_zero(t, a, b, Terms::modulo) } else { t.modulo(a, b) };
    unless_zero(t, b, rest)
}

/// SMT-LIB's division has a remainder that is never negative: for dividends that are not negative it truncates, and
/// the others are mirrored.
fn towards_zero(t: &mut Terms, a: TermId, b: TermId, op: fn(&mut Terms, TermId, TermId) -> TermId) -> TermId {
    let (zero, minus_a) = (t.int(0), t.neg(a));
    let not_negative = t.le(zero, a);
    let upper = op(t, a, b);
    let mirrored = op(t, minus_a, b);
    let lower = t.neg(mirrored);
    t.ite(not_negative, upper, lower)
}

/// Zero where `divisor` is zero.
pub(super) fn unless_zero(t: &mut Terms, divisor: TermId, otherwise: TermId) -> TermId {
    let zero = t.int(0);
    let by_zero = t.eq(divisor, zero);
    t.ite(by_zero, zero, otherwise)
}

/// Whether the form of the term shows that it is a number of the format.
fn is_known(t: &Terms, f: Format, a: TermId) -> bool {
    natural_bound(t, a).is_some_and(|bound| bound <= f.max())
}

fn is_zero(t: &Terms, a: TermId) -> bool {
    t.as_int(a).is_some_and(Zero::is_zero)
}
