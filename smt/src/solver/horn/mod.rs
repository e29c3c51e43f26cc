//! Constrained Horn clauses: predicates that nobody has defined yet, and what they must satisfy.
//!
//! Solvers find definitions, or a refutation. Definitions are worth something only after [`check()`]: each clause is asked
//! again, with the definitions in it, in a process that did not find them.

mod answer;
mod certificate;
mod check;
mod formula;
pub mod passes;
mod portfolio;
mod prove;
mod script;
mod sexpr;
mod shorten;
mod solver;

pub use certificate::{NotVerified, verify_certificate, write_certificate};
pub use check::{Confirmed, Refused, check};
pub use portfolio::{Configuration, PORTFOLIO, Portfolio, solve_portfolio};
pub use prove::{Proof, prove, prove_anywhere};
pub use shorten::simplify_model;
pub use solver::{HornSolver, solve};

use super::Reason;
use crate::term::{Function, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// If the body holds, so does the head. Every free symbol stands for any value.
#[derive(Clone, Debug)]
pub struct Clause {
    /// For messages.
    pub name: String,
    /// Conditions, and applications of predicates.
    pub body: Vec<TermId>,
    /// An application of a predicate; `None`: the body must not hold.
    pub head: Option<TermId>,
}

/// Predicates are the functions to `Bool` that clauses apply; they have at least one parameter.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub clauses: Vec<Clause>,
}

/// What predicates can be, so that all clauses hold.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub definitions: Vec<Definition>,
}

#[derive(Clone, Debug)]
pub struct Definition {
    pub predicate: Arc<Function>,
    pub params: Vec<TermId>,
    pub body: TermId,
}

#[derive(Clone, Debug)]
pub enum Solution {
    /// Not yet checked.
    Safe(Model),
    /// Some clause without a head can be reached.
    Unsafe,
    Unknown(Reason),
}

impl Clause {
    /// The body and the head.
    pub fn parts(&self) -> impl Iterator<Item = TermId> + '_ {
        self.body.iter().copied().chain(self.head)
    }
}

impl System {
    /// The functions to `Bool` that clauses apply, in the order in which they occur.
    pub fn predicates(&self, terms: &Terms) -> Vec<Arc<Function>> {
        let roots: Vec<TermId> = self.clauses.iter().flat_map(Clause::parts).collect();
        let mut found: Vec<Arc<Function>> = Vec::new();
        terms.walk(&roots, |term| {
            if let Some(predicate) = predicate(terms, term)
                && !found.contains(predicate)
            {
                found.push(predicate.clone());
            }
        });
        found
    }
}

/// The predicate that the term is an application of.
fn predicate(terms: &Terms, term: TermId) -> Option<&Arc<Function>> {
    match terms.op(term) {
        Op::Apply(function) if function.result == Sort::Bool => Some(function),
        _ => None,
    }
}

impl Model {
    pub fn get(&self, predicate: &Arc<Function>) -> Option<&Definition> {
        self.definitions.iter().find(|definition| definition.predicate == *predicate)
    }

    /// The model in which every predicate is true.
    fn everything(terms: &mut Terms, system: &System) -> Model {
        let predicates = system.predicates(terms);
        Model {
            definitions: predicates
                .iter()
                .map(|predicate| Definition::constant(terms, predicate, true))
                .collect(),
        }
    }

    /// The term with the definitions put in for predicates.
    pub fn apply(&self, terms: &mut Terms, term: TermId) -> TermId {
        let mut applications = Vec::new();
        terms.walk(&[term], |t| {
            if let Some(definition) = predicate(terms, t).and_then(|predicate| self.get(predicate)) {
                applications.push((t, definition));
            }
        });
        let mut replaced = FxHashMap::default();
        for (application, definition) in applications {
            let args = terms.args(application).to_vec();
            let value = definition.applied(terms, &args);
            replaced.insert(application, value);
        }
        terms.replace_all(term, &mut replaced)
    }
}

impl Definition {
    /// The predicate says the same about everything.
    fn constant(terms: &mut Terms, predicate: &Arc<Function>, value: bool) -> Definition {
        Definition {
            predicate: predicate.clone(),
            params: fresh_params(terms, predicate),
            body: terms.bool(value),
        }
    }

    /// What the predicate says about these arguments.
    pub fn applied(&self, terms: &mut Terms, args: &[TermId]) -> TermId {
        let mut values: FxHashMap<TermId, TermId> =
            self.params.iter().copied().zip(args.iter().copied()).collect();
        terms.replace_all(self.body, &mut values)
    }
}

fn fresh_params(terms: &mut Terms, predicate: &Arc<Function>) -> Vec<TermId> {
    predicate.params.iter().map(|sort| terms.fresh_bound("a", sort.clone())).collect()
}
