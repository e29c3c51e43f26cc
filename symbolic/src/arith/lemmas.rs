//! True facts about the products, quotients and powers in given terms: solvers for linear arithmetic get far with them.
//!
//! Every fact holds for all values of its variables; side conditions are part of it.

use super::power::{APPROXIMATED, FITS_SIGNED, FITS_UNSIGNED};
use hornet_smt::term::{Op, Sort, TermId, Terms};

/// Facts about pairs are made for this many terms of a kind at most, as their number grows with the square.
const MAX_PAIRED: usize = 24;

/// What the facts are about. Each list is without duplicates, in the order of the terms.
#[derive(Default)]
struct Found {
    /// The product of the pair, neither of them constant.
    products: Vec<(TermId, TermId, TermId)>,
    /// A quotient, its dividend and its divisor.
    quotients: Vec<(TermId, TermId, TermId)>,
    remainders: Vec<(TermId, TermId, TermId)>,
    /// A power, its base and its exponent.
    powers: Vec<(TermId, TermId, TermId)>,
}

/// Facts about what occurs in `roots` without variables of quantifiers.
pub fn lemmas(t: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
    let found = find(t, roots);
    let mut facts = Vec::new();
    for product in &found.products {
        about_product(t, *product, &mut facts);
    }
    for quotient in &found.quotients {
        about_quotient(t, *quotient, &mut facts);
    }
    for remainder in &found.remainders {
        about_remainder(t, *remainder, &mut facts);
    }
    for power in &found.powers {
        about_power(t, *power, &mut facts);
    }
    pairs(t, &found.products, about_products, &mut facts);
    pairs(t, &found.quotients, about_quotients, &mut facts);
    pairs(t, &found.powers, about_powers, &mut facts);
    facts.retain(|fact| t.as_bool(*fact) != Some(true));
    facts
}

/// What an operation gives, and its two operands.
type Application = (TermId, TermId, TermId);
type AboutTwo = fn(&mut Terms, Application, Application, &mut Vec<TermId>);

fn find(t: &Terms, roots: &[TermId]) -> Found {
    let mut found = Found::default();
    t.walk(roots, |term| {
        let &[a, b] = t.args(term) else { return };
        if !t.is_closed(term) {
            return;
        }
        match t.op(term) {
            Op::Mul if t.as_int(a).is_none() && t.as_int(b).is_none() => found.products.push((term, a, b)),
            Op::Div => found.quotients.push((term, a, b)),
            // Solvers know enough about constant divisors.
            Op::Mod if t.as_int(b).is_none() => found.remainders.push((term, a, b)),
            Op::Apply(function) if function.name.starts_with(APPROXIMATED) => found.powers.push((term, a, b)),
            _ => {}
        }
    });
    found
}

fn pairs(t: &mut Terms, all: &[Application], about: AboutTwo, facts: &mut Vec<TermId>) {
    let all = &all[..all.len().min(MAX_PAIRED)];
    for (i, first) in all.iter().enumerate() {
        for second in &all[i + 1..] {
            about(t, *first, *second, facts);
        }
    }
}

/// The conclusion, if all conditions hold.
fn when<const N: usize>(t: &mut Terms, conditions: [TermId; N], conclusion: TermId) -> TermId {
    let condition = t.and_all(conditions);
    t.implies(condition, conclusion)
}

fn at_least(t: &mut Terms, a: TermId, number: i32) -> TermId {
    let number = t.int(number);
    t.le(number, a)
}

fn is(t: &mut Terms, a: TermId, number: i32) -> TermId {
    let number = t.int(number);
    t.eq(a, number)
}

fn about_product(t: &mut Terms, (product, a, b): Application, facts: &mut Vec<TermId>) {
    let [product_zero, a_zero, b_zero] = [product, a, b].map(|x| is(t, x, 0));
    let some_zero = t.or(a_zero, b_zero);
    facts.push(t.eq(product_zero, some_zero));
    let [a_positive, b_positive] = [a, b].map(|x| at_least(t, x, 1));
    let [a_natural, b_natural, product_natural] = [a, b, product].map(|x| at_least(t, x, 0));
    facts.push(when(t, [a_natural, b_natural], product_natural));
    let at_least_b = t.le(b, product);
    facts.push(when(t, [a_positive, b_natural], at_least_b));
    let at_least_a = t.le(a, product);
    facts.push(when(t, [b_positive, a_natural], at_least_a));
}

/// Products with a common factor are ordered as their other factors.
fn about_products(t: &mut Terms, (p, a, b): Application, (q, c, d): Application, facts: &mut Vec<TermId>) {
    let alignments = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
    let Some((common, x, _, y)) = alignments.into_iter().find(|(a, _, c, _)| a == c) else { return };
    let natural = at_least(t, common, 0);
    for ((p, x), (q, y)) in [((p, x), (q, y)), ((q, y), (p, x))] {
        let less = t.lt(x, y);
        let one_more = t.add(p, common);
        let apart = t.le(one_more, q);
        facts.push(when(t, [natural, less], apart));
    }
    let (same_factor, same_product) = (t.eq(x, y), t.eq(p, q));
    facts.push(when(t, [same_factor], same_product));
}

fn about_quotient(t: &mut Terms, (quotient, n, d): Application, facts: &mut Vec<TermId>) {
    let divides = at_least(t, d, 1);
    if let (Op::Mul, &[a, b]) = (t.op(n), t.args(n)) {
        for (a, b) in [(a, b), (b, a)] {
            about_quotient_of_product(t, quotient, (a, b), d, facts);
        }
    }
    // The rest is linear for constant divisors.
    if t.as_int(d).is_some() {
        return;
    }
    let whole = t.mul(quotient, d);
    let next = t.add(whole, d);
    let (not_above, below_next) = (t.le(whole, n), t.lt(n, next));
    let between = t.and(not_above, below_next);
    facts.push(when(t, [divides], between));
    let [n_natural, quotient_natural] = [n, quotient].map(|x| at_least(t, x, 0));
    let not_more = t.le(quotient, n);
    let bounded = t.and(quotient_natural, not_more);
    facts.push(when(t, [divides, n_natural], bounded));
    let (less, none) = (t.lt(n, d), is(t, quotient, 0));
    facts.push(when(t, [n_natural, less], none));
}

/// `a * b / d` compared with `a`, by how `b` compares with `d`.
fn about_quotient_of_product(
    t: &mut Terms,
    quotient: TermId,
    (a, b): (TermId, TermId),
    d: TermId,
    facts: &mut Vec<TermId>,
) {
    let (divides, a_natural) = (at_least(t, d, 1), at_least(t, a, 0));
    let (b_small, at_most_a) = (t.le(b, d), t.le(quotient, a));
    facts.push(when(t, [divides, a_natural, b_small], at_most_a));
    let (b_large, at_least_a) = (t.le(d, b), t.le(a, quotient));
    facts.push(when(t, [divides, a_natural, b_large], at_least_a));
    let d_zero = is(t, d, 0);
    let (not_zero, cancels, same) = (t.not(d_zero), t.eq(b, d), t.eq(quotient, a));
    facts.push(when(t, [not_zero, cancels], same));
}

/// More is more, of the same divisor; and a greater divisor gives less, of the same dividend.
fn about_quotients(t: &mut Terms, (p, n, d): Application, (q, m, e): Application, facts: &mut Vec<TermId>) {
    for ((p, n, d), (q, m, e)) in [((p, n, d), (q, m, e)), ((q, m, e), (p, n, d))] {
        let divides = at_least(t, d, 1);
        if d == e {
            let (ordered, result) = (t.le(n, m), t.le(p, q));
            facts.push(when(t, [divides, ordered], result));
        } else if n == m {
            let natural = at_least(t, n, 0);
            let (ordered, result) = (t.le(d, e), t.le(q, p));
            facts.push(when(t, [natural, divides, ordered], result));
        }
    }
}

fn about_remainder(t: &mut Terms, (rest, n, d): Application, facts: &mut Vec<TermId>) {
    let (divides, n_natural) = (at_least(t, d, 1), at_least(t, n, 0));
    let (natural, below) = (at_least(t, rest, 0), t.lt(rest, d));
    let bounded = t.and(natural, below);
    facts.push(when(t, [divides], bounded));
    let not_more = t.le(rest, n);
    facts.push(when(t, [divides, n_natural], not_more));
    let (less, all) = (t.lt(n, d), t.eq(rest, n));
    facts.push(when(t, [n_natural, less], all));
    // The quotient may not occur by itself, but it is what the remainder is about.
    let quotient = t.div(n, d);
    let whole = t.mul(quotient, d);
    let sum = t.add(whole, rest);
    let complete = t.eq(n, sum);
    facts.push(when(t, [divides], complete));
}

fn about_power(t: &mut Terms, power: Application, facts: &mut Vec<TermId>) {
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
fn about_powers(t: &mut Terms, (p, x, n): Application, (q, y, m): Application, facts: &mut Vec<TermId>) {
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
