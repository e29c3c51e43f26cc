//! Cone of influence: clauses that no refutation can use are dropped.

use super::{Back, Clause, Simplified, System, is_horn, predicate};
use crate::term::{Function, Terms};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Without predicates that nothing ever concludes (they are false), and those that no clause without a head depends on
/// (they may be true).
pub fn cone(terms: &Terms, system: &System) -> Simplified {
    if !is_horn(terms, system) {
        return Simplified::unchanged(system.clone());
    }
    let concluded = concluded(terms, system);
    let possible: Vec<&Clause> = system
        .clauses
        .iter()
        .filter(|clause| body_predicates(terms, clause).all(|predicate| concluded.contains(predicate)))
        .collect();
    let wanted = wanted(terms, &possible);
    let kept = |clause: &&&Clause| head_predicate(terms, clause).is_none_or(|head| wanted.contains(head));
    let clauses = possible.iter().filter(kept).map(|clause| (*clause).clone()).collect();
    let fixed = system.predicates(terms).into_iter().filter(|predicate| !wanted.contains(predicate));
    // Those that are wanted are all concluded from something: other clauses were dropped before.
    let fixed = fixed.map(|predicate| {
        let value = concluded.contains(&predicate);
        (predicate, value)
    });
    Simplified { system: System { clauses }, back: vec![Back::Fixed(fixed.collect())] }
}

/// The predicates that some clause concludes from predicates of which the same can be said.
fn concluded(terms: &Terms, system: &System) -> FxHashSet<Arc<Function>> {
    let mut found: FxHashSet<Arc<Function>> = FxHashSet::default();
    loop {
        let before = found.len();
        for clause in &system.clauses {
            if let Some(head) = head_predicate(terms, clause)
                && body_predicates(terms, clause).all(|predicate| found.contains(predicate))
            {
                found.insert(head.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The predicates that clauses without a head depend on.
fn wanted(terms: &Terms, clauses: &[&Clause]) -> FxHashSet<Arc<Function>> {
    let mut found: FxHashSet<Arc<Function>> = FxHashSet::default();
    loop {
        let before = found.len();
        for clause in clauses {
            if head_predicate(terms, clause).is_none_or(|head| found.contains(head)) {
                found.extend(body_predicates(terms, clause).cloned());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn head_predicate<'a>(terms: &'a Terms, clause: &Clause) -> Option<&'a Arc<Function>> {
    clause.head.and_then(|head| predicate(terms, head))
}

fn body_predicates<'a>(terms: &'a Terms, clause: &'a Clause) -> impl Iterator<Item = &'a Arc<Function>> {
    clause.body.iter().filter_map(|part| predicate(terms, *part))
}
