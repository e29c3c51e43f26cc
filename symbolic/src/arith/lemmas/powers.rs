//! Facts about the functions that stand for powers.

use super::{Application, at_least, is, when};
use crate::arith::power::{FITS_SIGNED, FITS_UNSIGNED};
use hornet_smt::term::{Op, Sort, TermId, Terms};

pub(super) fn about_power(t: &mut Terms, power: Application, facts: &mut Vec<TermId>) {
    let (term, base, exponent) = power;
    match (t.op(term), t.sort(base)) {
        (_, Sort::Int) => about_integer_power(t, power, facts),
        (Op::Apply(f), _) if f.name.starts_with(FITS_SIGNED) => small_powers_fit(t, power, facts),
        (Op::Apply(f), _) if f.name.starts_with(FITS_UNSIGNED) => {
            small_powers_fit(t, power, facts);
            let (width, exponent_width) = (t.width(base), t.width(exponent));
            if u64::from(width) >> exponent_width.min(63) == 0 {
                let (two, limit) = (t.bv(2u32, width), t.bv(width, exponent_width));
                let (grows, often) = (t.bv_ule(two, base), t.bv_ule(limit, exponent));
                let too_large = t.not(term);
                facts.push(when(t, [grows, often], too_large));
            }
        }
        _ => about_vector_power(t, power, facts),
    }
}

/// The mathematical power, for exponents that are not negative.
fn about_integer_power(t: &mut Terms, (power, x, n): Application, facts: &mut Vec<TermId>) {
    let [n_zero, n_one, n_two, x_zero, x_one] =
        [(n, 0), (n, 1), (n, 2), (x, 0), (x, 1)].map(|(a, number)| is(t, a, number));
    let [x_natural, x_positive, x_grows] = [0, 1, 2].map(|number| at_least(t, x, number));
    let [n_natural, n_positive, n_word] = [0, 1, 256].map(|number| at_least(t, n, number));
    let [power_zero, power_one] = [0, 1].map(|number| is(t, power, number));
    let [natural, positive] = [0, 1].map(|number| at_least(t, power, number));
    let square = t.mul(x, x);
    let (same, squared) = (t.eq(power, x), t.eq(power, square));
    let (not_less, above_exponent) = (t.le(x, power), t.lt(n, power));
    let word = t.int(num_bigint::BigInt::from(1) << 256);
    let above_words = t.le(word, power);
    facts.extend([
        when(t, [n_zero], power_one),
        when(t, [n_one], same),
        when(t, [n_two], squared),
        when(t, [x_zero, n_positive], power_zero),
        when(t, [x_one, n_natural], power_one),
        when(t, [x_natural, n_natural], natural),
        when(t, [x_positive, n_natural], positive),
        when(t, [x_positive, n_positive], not_less),
        when(t, [x_grows, n_natural], above_exponent),
        when(t, [x_grows, n_word], above_words),
    ]);
}

/// The wrapped power.
fn about_vector_power(t: &mut Terms, (power, x, n): Application, facts: &mut Vec<TermId>) {
    let (width, exponent_width) = (t.width(x), t.width(n));
    let [zero, one] = [0u32, 1].map(|number| t.bv(number, width));
    let [n_zero, n_one] = [0u32, 1].map(|number| {
        let number = t.bv(number, exponent_width);
        t.eq(n, number)
    });
    let [x_zero, x_one, power_zero, power_one] =
        [(x, zero), (x, one), (power, zero), (power, one)].map(|(a, b)| t.eq(a, b));
    let (n_positive, same) = (t.not(n_zero), t.eq(power, x));
    facts.extend([
        when(t, [n_zero], power_one),
        when(t, [n_one], same),
        when(t, [x_zero, n_positive], power_zero),
        when(t, [x_one], power_one),
    ]);
}

/// Exponents 0 and 1, bases 0 and 1.
fn small_powers_fit(t: &mut Terms, (fits, x, n): Application, facts: &mut Vec<TermId>) {
    for operand in [x, n] {
        let two = t.bv(2u32, t.width(operand));
        let small = t.bv_ult(operand, two);
        facts.push(when(t, [small], fits));
    }
}

/// Powers of integers grow with the exponent, and with a base that is not negative.
pub(super) fn about_powers(
    t: &mut Terms,
    (p, x, n): Application,
    (q, y, m): Application,
    facts: &mut Vec<TermId>,
) {
    if *t.sort(p) != Sort::Int || *t.sort(q) != Sort::Int {
        return;
    }
    for ((p, x, n), (q, y, m)) in [((p, x, n), (q, y, m)), ((q, y, m), (p, x, n))] {
        let result = t.le(p, q);
        let n_natural = at_least(t, n, 0);
        if x == y {
            let (positive, ordered) = (at_least(t, x, 1), t.le(n, m));
            facts.push(when(t, [positive, n_natural, ordered], result));
        } else if n == m {
            let (natural, ordered) = (at_least(t, x, 0), t.le(x, y));
            facts.push(when(t, [natural, n_natural, ordered], result));
        }
    }
}
