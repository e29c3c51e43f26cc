//! How many rounds a loop has: something that stays positive and shrinks in every round.

use hornet_evm::U256;

use super::facts::{Fact, Facts};
use super::loops::{Frame, Kind};
use super::poly::Poly;
use super::term::{Term, Terms};
use super::upper::Upper;
use super::wide::Wide;

/// On every way back, `distance` as a whole number is at least `least`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    pub distance: Term,
    pub least: i64,
    /// Only if this variable grows by one in each round: it cannot step over what it is compared with.
    pub by_one: Option<Term>,
}

/// What the facts of a way back say about variables of the loop and what does not change.
pub fn guards(terms: &mut Terms, frame: &Frame, facts: &Facts) -> Vec<Guard> {
    let mut found = Vec::new();
    for fact in facts.trail().to_vec() {
        let guard = match fact {
            Fact::Less(a, b) => between(terms, facts, a, b, 1),
            Fact::AtMost(a, b) => between(terms, facts, a, b, 0),
            Fact::Nonzero(word) if facts.is_exact(terms, word) => {
                Some(Guard { distance: word, least: 1, by_one: None })
            }
            Fact::Nonzero(word) => unequal(terms, frame, facts, word),
        };
        if let Some(guard) = guard.filter(|guard| is_about_variables(terms, frame, guard.distance))
            && !found.contains(&guard)
        {
            found.push(guard);
        }
    }
    found
}

fn between(terms: &mut Terms, facts: &Facts, a: Term, b: Term, least: i64) -> Option<Guard> {
    (facts.is_exact(terms, a) && facts.is_exact(terms, b)).then(|| Guard {
        distance: terms.sub(b, a),
        least,
        by_one: None,
    })
}

/// A variable that differs from a bound it began below.
fn unequal(terms: &mut Terms, frame: &Frame, facts: &Facts, word: Term) -> Option<Guard> {
    let (_, parts) = terms.parts(word);
    let variable = frame.variables.iter().find(|variable| {
        let unit = |factor: U256| factor == U256::ONE || factor == U256::MAX;
        variable.kind == Kind::Grows && parts.iter().any(|(p, factor)| *p == variable.term && unit(*factor))
    })?;
    let (_, factor) = parts.iter().find(|(part, _)| *part == variable.term)?;
    let distance = if *factor == U256::ONE { terms.scaled(word, U256::MAX) } else { word };
    let bound = terms.add(distance, variable.term);
    let begins_below = terms.is_older_than(bound, frame.mark)
        && facts.is_exact(terms, bound)
        && frame.state.facts.proves_at_most(terms, variable.start, bound);
    begins_below.then_some(Guard { distance, least: 1, by_one: Some(variable.term) })
}

fn is_about_variables(terms: &Terms, frame: &Frame, distance: Term) -> bool {
    let (_, parts) = terms.parts(distance);
    let varies = |part: &Term| frame.variables.iter().any(|variable| variable.term == *part);
    parts.iter().any(|(part, _)| varies(part))
        && parts.iter().all(|(part, _)| varies(part) || terms.is_older_than(*part, frame.mark))
}

/// A bound on the number of ways back, if one is found.
pub fn rounds(terms: &mut Terms, frame: &Frame) -> Option<Poly> {
    let by_division = frame.variables.iter().filter_map(|variable| divisions(terms, frame, variable));
    let by_division = by_division.min().map(Poly::from);
    let guards = frame.guards.clone().unwrap_or_default();
    let counts: Vec<Poly> = guards.iter().filter_map(|guard| count(terms, frame, guard)).collect();
    let counts = || by_division.iter().chain(&counts);
    let given = |poly: &&Poly| poly.atoms().all(|atom| terms.is_given(atom));
    let constant = counts().filter(|poly| poly.is_constant()).min_by_key(|poly| poly.offset());
    let found = constant.or_else(|| counts().find(given)).or_else(|| counts().next());
    found.filter(|poly| !poly.is_endless()).cloned()
}

/// How often something can be divided before nothing is left.
fn divisions(terms: &Terms, frame: &Frame, variable: &super::loops::Variable) -> Option<u64> {
    let by = variable.divisors.iter().copied().collect::<Option<Vec<U256>>>()?.into_iter().min()?;
    let mut left = frame.state.facts.range(terms, variable.start).high;
    let mut times = 0;
    while !left.is_zero() {
        left /= by;
        times += 1;
    }
    Some(times)
}

fn count(terms: &mut Terms, frame: &Frame, guard: &Guard) -> Option<Poly> {
    let (_, parts) = terms.parts(guard.distance);
    let mut at_first = guard.distance;
    let mut increase = Wide::ZERO;
    for (part, factor) in parts {
        let Some(variable) = frame.variables.iter().find(|variable| variable.term == part) else { continue };
        let (low, high) = variable.change?;
        let one = Wide::from_number(1);
        if guard.by_one == Some(part) && (low, high) != (one, one) {
            return None;
        }
        let signed = Wide::from_signed(factor);
        increase = increase + (signed * low).max(signed * high);
        let (before, after) = (terms.scaled(part, factor), terms.scaled(variable.start, factor));
        at_first = terms.sub(at_first, before);
        at_first = terms.add(at_first, after);
    }
    let decrease = increase.to_number().map(|n| -n).filter(|n| (1..1 << 40).contains(n))? as i64;
    // It is at least `least` on each way back, so there are at most (at first - least) / decrease + 1 of them.
    let facts = &frame.state.facts;
    let room = terms.plus(at_first, decrease - guard.least);
    let mut poly = Upper::new(terms, facts, frame.point.pc).of_whole(room)?;
    if !is_never_negative(terms, facts, room) {
        poly = poly.without_negatives();
    }
    Some(poly.scaled(1, decrease as u64))
}

/// Read as a sum of whole numbers.
fn is_never_negative(terms: &mut Terms, facts: &Facts, term: Term) -> bool {
    let (constant, parts) = terms.parts(term);
    let (mut added, mut taken) = (Term::ZERO, Term::ZERO);
    let constant_part = terms.word(if constant.bit(255) { constant.wrapping_neg() } else { constant });
    match constant.bit(255) {
        true => taken = constant_part,
        false => added = constant_part,
    }
    for (part, factor) in parts {
        let size = if factor.bit(255) { factor.wrapping_neg() } else { factor };
        let scaled = terms.scaled(part, size);
        match factor.bit(255) {
            true => taken = terms.add(taken, scaled),
            false => added = terms.add(added, scaled),
        }
    }
    facts.proves_at_most(terms, taken, added)
}
