//! Clauses to a checked answer: simplified, solved, the model brought back, and every original clause asked again.

use super::passes::simplify;
use super::{Confirmed, Model, Portfolio, Refused, Solution, System, check, solve_portfolio};
use crate::solver::{Limits, Options, Outcome, Reason};
use crate::term::Terms;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

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

/// Solves and checks. `limits` are for all searches together, those in `options` for each clause that is checked.
pub fn prove(
    terms: &mut Terms,
    system: &System,
    portfolio: &Portfolio,
    limits: Limits,
    options: &Options,
    stop: &AtomicBool,
) -> Proof {
    let simplified = simplify(terms, system);
    let asks = simplified.system.clauses.iter().any(|clause| clause.head.is_none());
    let solve = |terms: &mut Terms, portfolio: &Portfolio, time: Duration| {
        let limits = Limits { time, ..limits };
        let solution = match asks {
            true => solve_portfolio(terms, &simplified.system, portfolio, limits, stop),
            // Nothing is asked, so everything may be true.
            false => Solution::Safe(Model::everything(terms, &simplified.system)),
        };
        match solution {
            Solution::Safe(model) => Ok(simplified.original_model(terms, model)),
            Solution::Unsafe => Err(Proof::Unsafe),
            Solution::Unknown(reason) => Err(Proof::Unknown(reason)),
        }
    };
    let started = Instant::now();
    let model = match solve(terms, portfolio, limits.time) {
        Ok(model) => model,
        Err(none) => return none,
    };
    let taken = started.elapsed();
    let hurried = hurried(options);
    let refused = match check(terms, system, &model, &hurried, stop) {
        Ok(confirmed) => return Proof::Safe { model, confirmed },
        Err(refused) => refused,
    };
    if !matches!(refused.outcome, Outcome::Unknown(_)) {
        return refused.into();
    }
    // Another model may be easier to check; if it is not, this one gets all of the time. What checking took does not count:
    // the first search may have been quick.
    let again = limits.time.saturating_sub(taken).max(taken);
    if let Ok(plain) = solve(terms, &portfolio.plain(), again)
        && let Ok(confirmed) = check(terms, system, &plain, &hurried, stop)
    {
        return Proof::Safe { model: plain, confirmed };
    }
    match check(terms, system, &model, options, stop) {
        Ok(confirmed) => Proof::Safe { model, confirmed },
        Err(refused) => refused.into(),
    }
}

/// With a part of the time.
fn hurried(options: &Options) -> Options {
    let limits = Limits { time: options.limits.time.mul_f64(HURRIED), ..options.limits };
    Options { limits, ..options.clone() }
}

const HURRIED: f64 = 0.15;

impl From<Refused> for Proof {
    fn from(refused: Refused) -> Proof {
        Proof::Unknown(Reason::GaveUp(refused.to_string()))
    }
}
