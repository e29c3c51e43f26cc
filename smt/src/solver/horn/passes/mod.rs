//! Systems that say the same in fewer and simpler clauses, and the way back from their models.
//!
//! Each pass gives an equivalent system: it is safe exactly if the original is, and a model of it becomes one of the original.

mod cone;
mod constants;
mod remainders;
mod slice;
mod split;
mod substitute;
#[cfg(test)]
mod tests;

pub use cone::cone;
pub use constants::constants;
pub use remainders::remainders;
pub use slice::slice;
pub use split::split;
pub use substitute::substitute;

use super::{Clause, Definition, Model, System, fresh_params, predicate};
use crate::term::{Function, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A system, and how a model of it is one of the system that it was made from.
#[derive(Clone, Debug)]
pub struct Simplified {
    pub system: System,
    /// The last pass first.
    back: Vec<Back>,
}

/// What a pass has taken away.
#[derive(Clone, Debug)]
enum Back {
    /// Predicates that are gone, and what they always are.
    Fixed(Vec<(Arc<Function>, bool)>),
    /// Predicates with fewer parameters.
    Fewer(Vec<Fewer>),
}

#[derive(Clone, Debug)]
struct Fewer {
    original: Arc<Function>,
    short: Arc<Function>,
    /// For each parameter of the original.
    params: Vec<Param>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Param {
    Kept,
    /// It does not matter what it is.
    Any,
    /// It is always this value.
    Always(TermId),
}

impl Simplified {
    fn unchanged(system: System) -> Simplified {
        Simplified { system, back: Vec::new() }
    }

    fn then(mut self, pass: impl FnOnce(&System) -> Simplified) -> Simplified {
        let next = pass(&self.system);
        self.system = next.system;
        self.back.splice(0..0, next.back);
        self
    }

    /// The model as one of the original system.
    pub fn original_model(&self, terms: &mut Terms, mut model: Model) -> Model {
        for back in &self.back {
            match back {
                Back::Fixed(fixed) => {
                    for (predicate, value) in fixed {
                        let definition = Definition::constant(terms, predicate, *value);
                        model.definitions.push(definition);
                    }
                }
                Back::Fewer(fewer) => {
                    for Fewer { original, short, params } in fewer {
                        let Some(at) = model.definitions.iter().position(|d| d.predicate == *short) else {
                            continue;
                        };
                        let definition = lengthened(terms, original, params, &model.definitions[at]);
                        model.definitions[at] = definition;
                    }
                }
            }
        }
        model
    }
}

/// All passes, until they change nothing: each makes room for the others.
pub fn simplify(terms: &mut Terms, system: &System) -> Simplified {
    let mut simplified = Simplified::unchanged(system.clone());
    // Every round but the last takes away a clause, a parameter or a symbol; few are ever needed.
    for _ in 0..MOST_ROUNDS {
        let before = size(terms, &simplified.system);
        simplified = simplified
            // Symbols that are only names for something hide what depends on what.
            .then(|system| substitute(terms, system))
            .then(|system| remainders(terms, system))
            .then(|system| cone(terms, system))
            .then(|system| constants(terms, system))
            .then(|system| slice(terms, system));
        if size(terms, &simplified.system) == before {
            break;
        }
    }
    simplified
}

const MOST_ROUNDS: usize = 8;

/// Clauses, parameters and conditions.
fn size(terms: &Terms, system: &System) -> (usize, usize, usize) {
    let params = system.predicates(terms).iter().map(|predicate| predicate.params.len()).sum();
    (system.clauses.len(), params, system.clauses.iter().map(|clause| clause.body.len()).sum())
}

/// The definition of a predicate, given that of the one with fewer parameters.
fn lengthened(
    terms: &mut Terms,
    original: &Arc<Function>,
    kinds: &[Param],
    short: &Definition,
) -> Definition {
    let params = fresh_params(terms, original);
    let mut kept = Vec::new();
    let mut facts = Vec::new();
    for (param, kind) in params.iter().zip(kinds) {
        match kind {
            Param::Kept => kept.push(*param),
            Param::Any => {}
            Param::Always(value) => facts.push(terms.eq(*param, *value)),
        }
    }
    facts.push(short.applied(terms, &kept));
    Definition { predicate: original.clone(), params, body: terms.and_all(facts) }
}

/// The clauses with applications of the predicates replaced by applications of the shorter ones.
fn shortened(terms: &mut Terms, system: &System, fewer: &[Fewer]) -> System {
    let mut replaced: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut short = |terms: &mut Terms, term: TermId| {
        if let Some(done) = replaced.get(&term) {
            return *done;
        }
        let found = predicate(terms, term).and_then(|p| fewer.iter().find(|fewer| fewer.original == *p));
        let Some(Fewer { short, params, .. }) = found else { return term };
        let args = terms.args(term).to_vec();
        let kept: Vec<TermId> =
            args.iter().zip(params).filter(|(_, kind)| **kind == Param::Kept).map(|(arg, _)| *arg).collect();
        let new = terms.apply(short, &kept);
        replaced.insert(term, new);
        new
    };
    let mut clauses = Vec::new();
    for clause in &system.clauses {
        let body = clause.body.iter().map(|part| short(terms, *part)).collect();
        let head = clause.head.map(|head| short(terms, head));
        clauses.push(Clause { name: clause.name.clone(), body, head });
    }
    System { clauses }
}

/// Predicates without the parameters that are not kept. A predicate has at least one parameter, so the first stays if no
/// other does.
fn without(
    terms: &Terms,
    predicates: &[Arc<Function>],
    kinds: impl Fn(&Arc<Function>, usize) -> Param,
) -> Vec<Fewer> {
    let mut fewer = Vec::new();
    for original in predicates {
        let mut params: Vec<Param> = (0..original.params.len()).map(|at| kinds(original, at)).collect();
        if params.iter().all(|kind| *kind != Param::Kept)
            && let Some(first) = params.first_mut()
        {
            *first = Param::Kept;
        }
        if params.iter().all(|kind| *kind == Param::Kept) {
            continue;
        }
        let sorts = original.params.iter().zip(&params).filter(|(_, kind)| **kind == Param::Kept);
        let sorts = sorts.map(|(sort, _)| sort.clone()).collect();
        let short = unused_name(terms, original, sorts, predicates);
        fewer.push(Fewer { original: original.clone(), short, params });
    }
    fewer
}

/// A predicate like the original that is not one of those there are: functions of the same name and sorts are the same.
fn unused_name(
    terms: &Terms,
    original: &Arc<Function>,
    params: Vec<Sort>,
    predicates: &[Arc<Function>],
) -> Arc<Function> {
    let mut name = original.name.to_string();
    loop {
        let short = terms.function(&name, params.clone(), original.result.clone());
        if !predicates.contains(&short) {
            return short;
        }
        name.push('\'');
    }
}

/// Whether predicates are applied only where Horn clauses have them: alone in the body, and as the head. Other systems are
/// left as they are.
fn is_horn(terms: &Terms, system: &System) -> bool {
    system.clauses.iter().flat_map(Clause::parts).all(|part| {
        let inner: &[TermId] = if predicate(terms, part).is_some() { terms.args(part) } else { &[part] };
        let mut applied = false;
        terms.walk(inner, |term| applied |= predicate(terms, term).is_some());
        !applied
    }) && system.clauses.iter().filter_map(|clause| clause.head).all(|head| predicate(terms, head).is_some())
}

/// The conditions of a body one by one, without `and` around them.
fn conjuncts(terms: &mut Terms, body: &[TermId]) -> Vec<TermId> {
    let all = terms.and_all(body.iter().copied());
    match terms.op(all) {
        Op::And => terms.args(all).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![all],
    }
}

/// The symbols that occur in the term.
fn symbols(terms: &Terms, root: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    terms.walk(&[root], |term| {
        if matches!(terms.op(term), Op::Symbol(_)) {
            found.push(term);
        }
    });
    found
}
