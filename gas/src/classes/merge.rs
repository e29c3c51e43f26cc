//! Cases that cost the same on the machine are one class.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::analysis::Predicted;
use super::candidate::{Candidate, Price};
use super::home::Home;
use super::{Class, Measure, Outcome, Watch, Witness};

pub(super) struct Merged {
    /// The dearest first.
    pub classes: Vec<Class>,
    /// Cases that did not end as predicted.
    pub strayed: usize,
    /// There was no time for all of them.
    pub left_out: bool,
}

/// `best` was found by trying.
pub(super) fn merged(
    home: &Home,
    measure: Measure,
    cases: Vec<Predicted>,
    best: Option<Candidate>,
    watch: Watch<'_>,
) -> Merged {
    let all = cases.len();
    let run = |case: Predicted| {
        let candidate = match measure {
            Measure::Execution => case.candidate,
            Measure::Transaction => with_dearest_bytes(case.candidate, watch),
        };
        (!watch.is_over()).then(|| (case.condition, case.succeeds, candidate.witness(home)))
    };
    let run: Vec<(String, bool, Witness)> = cases.into_par_iter().filter_map(run).collect();
    let left_out = run.len() < all;
    let mut strayed = 0;
    let mut classes: Vec<Class> = Vec::new();
    for (condition, succeeds, witness) in run {
        let outcome = &witness.measurement.outcome;
        match (outcome.success == succeeds, &outcome.halt) {
            (false, _) => strayed += 1,
            // It takes all the gas there is, which is no price.
            (true, Some(_)) => {}
            (true, None) => add(&mut classes, measure, Some(condition), witness),
        }
    }
    if let Some(best) = best {
        add_found(&mut classes, measure, best.witness(home));
    }
    classes.iter_mut().for_each(|class| {
        class.conditions.sort();
        class.conditions.dedup();
    });
    classes.sort_by_key(|class| {
        let (price, next) = match measure {
            Measure::Execution => (class.own(), class.total),
            Measure::Transaction => (class.paid(), class.own()),
        };
        (Reverse(price), class.outcome, Reverse(next))
    });
    Merged { classes, strayed, left_out }
}

fn add(classes: &mut Vec<Class>, measure: Measure, condition: Option<String>, witness: Witness) {
    let new = class(condition.into_iter().collect(), witness);
    match classes.iter_mut().find(|class| class.price(measure) == new.price(measure)) {
        Some(class) => {
            class.conditions.extend(new.conditions);
            if new.total > class.total {
                (class.total, class.execution, class.witness) = (new.total, new.execution, new.witness);
            }
        }
        None => classes.push(new),
    }
}

/// What was found by trying counts if it is dearer than all that was predicted, or than what costs the same otherwise.
fn add_found(classes: &mut Vec<Class>, measure: Measure, witness: Witness) {
    let new = class(Vec::new(), witness);
    let gas = |class: &Class| match measure {
        Measure::Execution => class.own(),
        Measure::Transaction => class.paid(),
    };
    let dearer = classes.iter().all(|class| gas(class) < gas(&new));
    if dearer || classes.iter().any(|class| class.price(measure) == new.price(measure)) {
        add(classes, measure, None, new.witness);
    }
}

fn class(conditions: Vec<String>, witness: Witness) -> Class {
    let measurement = &witness.measurement;
    Class {
        conditions,
        outcome: if measurement.outcome.success { Outcome::Returns } else { Outcome::Reverts },
        execution: measurement.execution,
        total: measurement.total,
        witness,
    }
}

/// The same run with as few zero bytes as possible, which are cheaper than others. Whatever else it costs stays the same.
fn with_dearest_bytes(candidate: Candidate, watch: Watch<'_>) -> Candidate {
    let price = |candidate: &Candidate| {
        let measurement = candidate.run().measurement;
        (Price::of(&measurement, Measure::Transaction), measurement.callees)
    };
    let (kept, mut best) = (price(&candidate), candidate);
    let zeros: Vec<usize> = (4..best.message.data.len()).filter(|at| best.message.data[*at] == 0).collect();
    for at in zeros.into_iter().take(MOST_BYTES) {
        for byte in [0xff, 1] {
            if watch.is_over() {
                return best;
            }
            let mut other = best.clone();
            other.message.data[at] = byte;
            if price(&other) == kept {
                best = other;
                break;
            }
        }
    }
    best
}

/// Longer calldata is filled in part.
const MOST_BYTES: usize = 256;
