//! Clauses to a checked answer: simplified, solved, the model brought back, and every original clause asked again.

use super::passes::simplify;
use super::{Confirmed, Model, Portfolio, Solution, System, check, solve_portfolio};
use crate::solver::{Limits, Options, Reason};
use crate::term::Terms;
use std::sync::atomic::AtomicBool;

/// What is known about a system.
#[derive(Clone, Debug)]
pub enum Proof {
    /// A model of the system as it was given, confirmed clause by clause.
    Safe {
        model: Model,
        confirmed: Confirmed,
    },
    /// The solver says that some clause without a head can be reached.
    Unsafe,
    Unknown(Reason),
}

/// Whether nothing has to be known: what must not hold can hold in no state at all, reachable or not.
pub fn prove_anywhere(
    terms: &mut Terms,
    system: &System,
    options: &Options,
    stop: &AtomicBool,
) -> Option<Model> {
    let model = Model::everything(terms, system);
    let clauses = system.clauses.iter().filter(|clause| clause.head.is_none()).cloned().collect();
    check(terms, &System { clauses }, &model, options, stop).ok().map(|_| model)
}

/// Solves and checks. `limits` are for the search, those in `options` for each clause that is checked.
pub fn prove(
    terms: &mut Terms,
    system: &System,
    portfolio: &Portfolio,
    limits: Limits,
    options: &Options,
    stop: &AtomicBool,
) -> Proof {
    let simplified = simplify(terms, system);
    let solution = if simplified.system.clauses.iter().all(|clause| clause.head.is_some()) {
        // Nothing is asked, so everything may be true.
        Solution::Safe(Model::everything(terms, &simplified.system))
    } else {
        solve_portfolio(terms, &simplified.system, portfolio, limits, stop)
    };
    match solution {
        Solution::Safe(model) => {
            let model = simplified.original_model(terms, model);
            match check(terms, system, &model, options, stop) {
                Ok(confirmed) => Proof::Safe { model, confirmed },
                Err(refused) => Proof::Unknown(Reason::GaveUp(refused.to_string())),
            }
        }
        Solution::Unsafe => Proof::Unsafe,
        Solution::Unknown(reason) => Proof::Unknown(reason),
    }
}
