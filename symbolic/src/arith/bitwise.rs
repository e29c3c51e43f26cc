//! Operations on the bits of mathematical integers: arithmetic where one operand is a constant of few runs of ones, else
//! through bit-vectors.

use super::bounds::{self, low_zeros};
use super::format::{Format, power_of_two};
use super::two_complement::{from_bits, to_bits};
use hornet_smt::term::{TermId, Terms};
use num_bigint::BigUint;
use std::ops::Range;

/// Masks with more runs of ones than this are cheaper as bit-vectors.
const MAX_RUNS: usize = 4;

pub(super) fn and(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    match masked(t, f, a, b) {
        Some((kept, _)) => kept,
        None => {
            let zero = t.int(0);
            unless_apart(t, f, (a, b), zero, Terms::bv_and)
        }
    }
}

pub(super) fn or(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    // Bits of both are counted twice in the sum.
    match masked(t, f, a, b) {
        Some((both, sum)) => t.sub(sum, both),
        None => {
            let sum = t.add(a, b);
            unless_apart(t, f, (a, b), sum, Terms::bv_or)
        }
    }
}

pub(super) fn xor(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    match masked(t, f, a, b) {
        Some((both, sum)) => {
            let once = t.sub(sum, both);
            t.sub(once, both)
        }
        None => {
            let sum = t.add(a, b);
            unless_apart(t, f, (a, b), sum, Terms::bv_xor)
        }
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

/// `op` through bit-vectors, but `apart` where all bits of one operand are below those of the other: code that packs
/// several fields into a word shifts one of them up.
fn unless_apart(
    t: &mut Terms,
    f: Format,
    (a, b): (TermId, TermId),
    apart: TermId,
    op: fn(&mut Terms, TermId, TermId) -> TermId,
) -> TermId {
    let (bits_a, bits_b) = (to_bits(t, f, a), to_bits(t, f, b));
    let result = op(t, bits_a, bits_b);
    let general = from_bits(t, f, result);
    let (zeros_a, zeros_b) = (low_zeros(t, a, f.bits), low_zeros(t, b, f.bits));
    let (low, zeros) = if zeros_a > zeros_b { (b, zeros_a) } else { (a, zeros_b) };
    if zeros == 0 {
        return general;
    }
    let mut separate = bounds::is_below(t, low, &power_of_two(zeros));
    if f.signed {
        let zero = t.int(0);
        let natural = t.le(zero, low);
        separate = t.and(natural, separate);
    }
    t.ite(separate, apart, general)
}
