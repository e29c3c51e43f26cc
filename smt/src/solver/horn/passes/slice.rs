//! Parameters that cannot matter are taken away.
//!
//! A parameter matters for two reasons: somebody looks at it, and somebody decides what it is. If nobody looks at it, or it may
//! be anything, predicates without it say the same.

use super::{Back, Clause, Param, Simplified, System, is_horn, predicate, shortened, symbols, without};
use crate::term::{Function, Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A parameter of a predicate, by position.
type Place = (Arc<Function>, usize);

/// Takes away parameters that nobody looks at and those that may be anything.
pub fn slice(terms: &mut Terms, system: &System) -> Simplified {
    if !is_horn(terms, system) {
        return Simplified::unchanged(system.clone());
    }
    let unseen = without_places(terms, system, &looked_at(terms, system));
    unseen.then(|system| {
        let decided = decided(terms, system);
        without_places(terms, system, &decided)
    })
}

/// Without all parameters but these.
fn without_places(terms: &mut Terms, system: &System, kept: &FxHashSet<Place>) -> Simplified {
    let kind = |predicate: &Arc<Function>, at: usize| {
        if kept.contains(&(predicate.clone(), at)) { Param::Kept } else { Param::Any }
    };
    let fewer = without(terms, &system.predicates(terms), kind);
    let system = shortened(terms, system, &fewer);
    Simplified { system, back: vec![Back::Fewer(fewer)] }
}

/// Adds places until nothing changes.
fn closure(system: &System, mut add: impl FnMut(&Clause, &mut FxHashSet<Place>)) -> FxHashSet<Place> {
    let mut places = FxHashSet::default();
    loop {
        let before = places.len();
        for clause in &system.clauses {
            add(clause, &mut places);
        }
        if places.len() == before {
            return places;
        }
    }
}

/// The parameters whose value can make a difference to whether a clause without a head is reached.
fn looked_at(terms: &Terms, system: &System) -> FxHashSet<Place> {
    closure(system, |clause, seen| {
        // Where the argument of a body is a symbol that nobody else uses, every value will do.
        let uses = Uses::of(terms, clause, |predicate, at| seen.contains(&(predicate.clone(), at)));
        for part in &clause.body {
            let Some(predicate) = predicate(terms, *part) else { continue };
            for (at, arg) in terms.args(*part).iter().enumerate() {
                let anything = matches!(terms.op(*arg), Op::Symbol(_)) && uses.count(*arg) == 1;
                if !anything {
                    seen.insert((predicate.clone(), at));
                }
            }
        }
    })
}

/// The parameters about whose value clauses say something when they conclude the predicate.
fn decided(terms: &Terms, system: &System) -> FxHashSet<Place> {
    closure(system, |clause, decided| {
        let Some(head) = clause.head else { return };
        let Some(concluded) = predicate(terms, head) else { return };
        let uses = Uses::of(terms, clause, |_, _| true);
        let free = free_in_body(terms, clause, decided);
        for (at, arg) in terms.args(head).iter().enumerate() {
            let is_symbol = matches!(terms.op(*arg), Op::Symbol(_));
            // Used here alone, or passed on from one place where it may be anything.
            let anything = uses.count(*arg) == 1 || (uses.count(*arg) == 2 && free.contains(arg));
            if !(is_symbol && anything) {
                decided.insert((concluded.clone(), at));
            }
        }
    })
}

/// The symbols that are arguments of the body where they may be anything.
fn free_in_body(terms: &Terms, clause: &Clause, decided: &FxHashSet<Place>) -> FxHashSet<TermId> {
    let mut free = FxHashSet::default();
    for part in &clause.body {
        let Some(predicate) = predicate(terms, *part) else { continue };
        for (at, arg) in terms.args(*part).iter().enumerate() {
            if !decided.contains(&(predicate.clone(), at)) {
                free.insert(*arg);
            }
        }
    }
    free
}

/// In how many places of a clause each symbol is used: arguments, and conditions.
struct Uses {
    counts: FxHashMap<TermId, usize>,
}

impl Uses {
    /// Arguments of the head count where `head_counts` says so.
    fn of(terms: &Terms, clause: &Clause, head_counts: impl Fn(&Arc<Function>, usize) -> bool) -> Uses {
        let mut places: Vec<TermId> = Vec::new();
        for part in &clause.body {
            match predicate(terms, *part) {
                Some(_) => places.extend(terms.args(*part)),
                None => places.push(*part),
            }
        }
        if let Some(head) = clause.head
            && let Some(concluded) = predicate(terms, head)
        {
            let args = terms.args(head).iter().enumerate();
            places.extend(args.filter(|(at, _)| head_counts(concluded, *at)).map(|(_, arg)| *arg));
        }
        let mut counts = FxHashMap::default();
        for symbol in places.into_iter().flat_map(|place| symbols(terms, place)) {
            *counts.entry(symbol).or_default() += 1;
        }
        Uses { counts }
    }

    fn count(&self, symbol: TermId) -> usize {
        self.counts.get(&symbol).copied().unwrap_or(0)
    }
}
