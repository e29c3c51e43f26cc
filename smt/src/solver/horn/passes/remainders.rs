//! Remainders of sums that are almost in range, as choices.
//!
//! Wrapping arithmetic is `mod 2^256`, which solvers find hard. With the ranges of its operands at hand, a sum or a difference
//! wraps at most once, and says so in linear arithmetic.

use super::{Clause, Simplified, System, conjuncts};
use crate::term::{Op, Sort, TermId, Terms};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

/// How far below a remainder ranges are looked for.
const DEEPEST: u32 = 8;

/// The least and the greatest value, where known.
#[derive(Clone, Default, Debug)]
struct Range {
    least: Option<BigInt>,
    most: Option<BigInt>,
}

/// Within each clause: `t mod n` becomes `t`, `t + n` or `t - n` where the conditions of the body leave no other choice.
pub fn remainders(terms: &mut Terms, system: &System) -> Simplified {
    let clauses = system.clauses.iter().map(|clause| without_remainders(terms, clause)).collect();
    Simplified::unchanged(System { clauses })
}

fn without_remainders(terms: &mut Terms, clause: &Clause) -> Clause {
    let body = conjuncts(terms, &clause.body);
    let mut ranges = ranges(terms, &body);
    let mut remainders = Vec::new();
    let roots: Vec<TermId> = body.iter().copied().chain(clause.head).collect();
    // Arguments come before what they are used in, so inner remainders are known when outer ones are looked at.
    terms.walk(&roots, |term| {
        if *terms.op(term) == Op::Mod && terms.is_closed(term) {
            remainders.push(term);
        }
    });
    let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
    for remainder in remainders {
        let &[value, by] = terms.args(remainder) else { continue };
        let Some(by) = terms.as_int(by).filter(|by| by.is_positive()).cloned() else { continue };
        let range = range_of(terms, value, &ranges, DEEPEST);
        ranges.insert(remainder, Range { least: Some(BigInt::zero()), most: Some(&by - 1) });
        let (Some(least), Some(most)) = (range.least, range.most) else { continue };
        if least < -&by || most >= &by * 2 {
            continue;
        }
        let value = terms.replace_all(value, &mut map);
        let choice = wrapped_once(terms, value, &by, &least, &most);
        map.insert(remainder, choice);
    }
    let body = body.iter().map(|part| terms.replace_all(*part, &mut map)).collect();
    let head = clause.head.map(|head| terms.replace_all(head, &mut map));
    Clause { name: clause.name.clone(), body, head }
}

/// The remainder of a value between `-by` and twice `by`.
fn wrapped_once(terms: &mut Terms, value: TermId, by: &BigInt, least: &BigInt, most: &BigInt) -> TermId {
    let (zero, size) = (terms.int(0), terms.int(by.clone()));
    let mut choice = value;
    if most >= by {
        let less = terms.sub(value, size);
        let below = terms.lt(value, size);
        choice = terms.ite(below, choice, less);
    }
    if least.is_negative() {
        let more = terms.add(value, size);
        let negative = terms.lt(value, zero);
        choice = terms.ite(negative, more, choice);
    }
    choice
}

/// What the conditions say about single terms: `c <= t`, `t < c`.
fn ranges(terms: &Terms, body: &[TermId]) -> FxHashMap<TermId, Range> {
    let mut ranges: FxHashMap<TermId, Range> = FxHashMap::default();
    for part in body {
        let (op, &[a, b]) = (terms.op(*part), terms.args(*part)) else { continue };
        let strict = i32::from(*op == Op::Lt);
        if !matches!(op, Op::Le | Op::Lt) {
            continue;
        }
        if let Some(least) = terms.as_int(a) {
            let least = least + strict;
            let range = ranges.entry(b).or_default();
            range.least = Some(range.least.take().map_or(least.clone(), |known| known.max(least)));
        } else if let Some(most) = terms.as_int(b) {
            let most = most - strict;
            let range = ranges.entry(a).or_default();
            range.most = Some(range.most.take().map_or(most.clone(), |known| known.min(most)));
        }
    }
    ranges
}

/// The range of a sum, from those of its parts. Deep terms are not worth the time: shared parts are looked at again.
fn range_of(terms: &Terms, term: TermId, ranges: &FxHashMap<TermId, Range>, depth: u32) -> Range {
    debug_assert_eq!(*terms.sort(term), Sort::Int);
    let Some(deeper) = depth.checked_sub(1) else { return Range::default() };
    if let Some(range) = ranges.get(&term) {
        return range.clone();
    }
    match (terms.op(term), terms.args(term)) {
        (Op::Int(value), _) => Range { least: Some(value.clone()), most: Some(value.clone()) },
        (Op::Neg, &[inner]) => scaled(range_of(terms, inner, ranges, deeper), &-BigInt::one()),
        (Op::Mul, &[factor, inner]) if terms.as_int(factor).is_some() => {
            let factor = terms.as_int(factor).cloned().unwrap_or_default();
            scaled(range_of(terms, inner, ranges, deeper), &factor)
        }
        (Op::Add, parts) => {
            let zero = Range { least: Some(BigInt::zero()), most: Some(BigInt::zero()) };
            parts.iter().fold(zero, |sum, part| {
                let part = range_of(terms, *part, ranges, deeper);
                let add = |a: Option<BigInt>, b: Option<BigInt>| Some(a? + b?);
                Range { least: add(sum.least, part.least), most: add(sum.most, part.most) }
            })
        }
        (Op::Ite, &[_, then, other]) => {
            let (a, b) = (range_of(terms, then, ranges, deeper), range_of(terms, other, ranges, deeper));
            let both = |a: Option<BigInt>, b: Option<BigInt>| Some((a?, b?));
            Range {
                least: both(a.least, b.least).map(|(a, b)| a.min(b)),
                most: both(a.most, b.most).map(|(a, b)| a.max(b)),
            }
        }
        _ => Range::default(),
    }
}

fn scaled(range: Range, factor: &BigInt) -> Range {
    let least = range.least.map(|least| least * factor);
    let most = range.most.map(|most| most * factor);
    if factor.is_negative() { Range { least: most, most: least } } else { Range { least, most } }
}
