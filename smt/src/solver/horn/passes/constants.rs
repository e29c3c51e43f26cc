//! Parameters that are always the same value.

use super::{Back, Clause, Param, Simplified, System, is_horn, predicate, shortened, without};
use crate::term::{Function, Op, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What is known about the parameters of predicates; a predicate that is not there was not concluded so far.
type Known = FxHashMap<Arc<Function>, Vec<Option<TermId>>>;

/// Takes away parameters that have one value in everything that clauses conclude.
pub fn constants(terms: &mut Terms, system: &System) -> Simplified {
    if !is_horn(terms, system) {
        return Simplified::unchanged(system.clone());
    }
    let known = known(terms, system);
    let predicates = system.predicates(terms);
    let kind = |predicate: &Arc<Function>, at: usize| {
        let value = known.get(predicate).and_then(|values| values[at]);
        value.map_or(Param::Kept, Param::Always)
    };
    let fewer = without(terms, &predicates, kind);
    // Where the value was an argument, it has to be that value.
    let clauses = system
        .clauses
        .iter()
        .map(|clause| {
            let mut body = clause.body.clone();
            for part in &clause.body {
                let Some(values) = predicate(terms, *part).and_then(|predicate| known.get(predicate)) else {
                    continue;
                };
                for (arg, value) in terms.args(*part).to_vec().into_iter().zip(values) {
                    body.extend(value.filter(|value| *value != arg).map(|value| terms.eq(arg, value)));
                }
            }
            Clause { name: clause.name.clone(), body, head: clause.head }
        })
        .collect();
    let system = shortened(terms, &System { clauses }, &fewer);
    Simplified { system, back: vec![Back::Fewer(fewer)] }
}

/// Goes through the clauses until nothing new is concluded. Values only become fewer, so this ends.
fn known(terms: &mut Terms, system: &System) -> Known {
    let mut known = Known::default();
    loop {
        let mut changed = false;
        for clause in &system.clauses {
            let Some(head) = clause.head else { continue };
            let Some(predicate) = predicate(terms, head).cloned() else { continue };
            let Some(values) = concluded(terms, clause, head, &known) else { continue };
            match known.get_mut(&predicate) {
                None => {
                    known.insert(predicate, values);
                    changed = true;
                }
                Some(before) => {
                    for (before, now) in before.iter_mut().zip(values) {
                        if before.is_some() && *before != now {
                            *before = None;
                            changed = true;
                        }
                    }
                }
            }
        }
        if !changed {
            return known;
        }
    }
}

/// The values that the head has whatever the symbols are; `None` if the body has a predicate that was not concluded.
fn concluded(terms: &mut Terms, clause: &Clause, head: TermId, known: &Known) -> Option<Vec<Option<TermId>>> {
    let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
    for part in &clause.body {
        let Some(predicate) = predicate(terms, *part) else { continue };
        for (arg, value) in terms.args(*part).iter().zip(known.get(predicate)?) {
            if let (Op::Symbol(_), Some(value)) = (terms.op(*arg), value) {
                map.insert(*arg, *value);
            }
        }
    }
    let args = terms.args(head).to_vec();
    let values = args.into_iter().map(|arg| {
        let value = terms.replace_all(arg, &mut map);
        terms.is_value(value).then_some(value)
    });
    Some(values.collect())
}
