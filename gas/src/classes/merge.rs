//! Cases that cost the same on the machine are one class.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::analysis::Predicted;
use super::candidate::Candidate;
use super::home::Home;
use super::{Class, Outcome, Watch, Witness};

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
    cases: Vec<Predicted>,
    best: Option<Candidate>,
    watch: Watch<'_>,
) -> Merged {
    let all = cases.len();
    let run = |case: Predicted| {
        (!watch.is_over()).then(|| (case.condition, case.succeeds, case.candidate.witness(home)))
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
            (true, None) => add(&mut classes, Some(condition), witness),
        }
    }
    if let Some(best) = best {
        add_found(&mut classes, best.witness(home));
    }
    classes.iter_mut().for_each(|class| {
        class.conditions.sort();
        class.conditions.dedup();
    });
    classes.sort_by_key(|class| Reverse((class.own(), class.total)));
    Merged { classes, strayed, left_out }
}

fn add(classes: &mut Vec<Class>, condition: Option<String>, witness: Witness) {
    let new = class(condition.into_iter().collect(), witness);
    match classes.iter_mut().find(|class| price(class) == price(&new)) {
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
fn add_found(classes: &mut Vec<Class>, witness: Witness) {
    let new = class(Vec::new(), witness);
    let dearer = classes.iter().all(|class| class.own() < new.own());
    if dearer || classes.iter().any(|class| price(class) == price(&new)) {
        add(classes, None, new.witness);
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

/// Calldata and refunds differ between runs that do the same work; of those, the one that the sender pays most for is
/// kept.
fn price(class: &Class) -> (Outcome, u64) {
    (class.outcome, class.own())
}
