//! True facts about the products, quotients and powers in given terms: solvers for linear arithmetic get far with them.
//!
//! Every fact holds for all values of its variables; side conditions are part of it.

mod amounts;
mod powers;

use super::power::APPROXIMATED;
use amounts::{Conversion, about_amount, about_amounts};
use hornet_smt::term::{Op, TermId, Terms};
use powers::{about_power, about_powers};

/// Facts about pairs are made for this many terms of a kind at most, as their number grows with the square.
const MAX_PAIRED: usize = 24;

/// What an operation gives, and its two operands.
type Application = (TermId, TermId, TermId);

/// What the facts are about. Each list is without duplicates, in the order of the terms.
#[derive(Default)]
struct Found {
    /// The product of the pair, neither of them constant.
    products: Vec<Application>,
    /// A quotient, its dividend and its divisor.
    quotients: Vec<Application>,
    remainders: Vec<Application>,
    /// A power, its base and its exponent.
    powers: Vec<Application>,
    /// Numbers as bit-vectors to shift by. Facts about others would draw solvers into bits that do not matter.
    amounts: Vec<Conversion>,
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
    for amount in &found.amounts {
        about_amount(t, *amount, &mut facts);
    }
    pairs(t, &found.amounts, about_amounts, &mut facts);
    facts.retain(|fact| t.as_bool(*fact) != Some(true));
    facts
}

fn find(t: &Terms, roots: &[TermId]) -> Found {
    let mut found = Found::default();
    t.walk(roots, |term| {
        if !t.is_closed(term) {
            return;
        }
        let &[a, b] = t.args(term) else { return };
        match t.op(term) {
            Op::Mul if t.as_int(a).is_none() && t.as_int(b).is_none() => found.products.push((term, a, b)),
            Op::Div => found.quotients.push((term, a, b)),
            // Solvers know enough about constant divisors.
            Op::Mod if t.as_int(b).is_none() => found.remainders.push((term, a, b)),
            Op::BvShl | Op::BvLshr | Op::BvAshr => found.amounts.extend(amount(t, b)),
            Op::Apply(function) if function.name.starts_with(APPROXIMATED) => found.powers.push((term, a, b)),
            _ => {}
        }
    });
    found.amounts.sort();
    found.amounts.dedup();
    found
}

fn amount(t: &Terms, bits: TermId) -> Option<Conversion> {
    match (t.op(bits), t.args(bits)) {
        (Op::IntToBv(_), &[number]) => Some((bits, number)),
        _ => None,
    }
}

fn pairs<T: Copy>(
    t: &mut Terms,
    all: &[T],
    about: fn(&mut Terms, T, T, &mut Vec<TermId>),
    facts: &mut Vec<TermId>,
) {
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
