//! Proofs over any number of transactions.

use crate::Settings;
use crate::clauses::{Facts, clauses};
use crate::contract::{Followed, follow};
use crate::explain::invariants;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::span::Span;
use hornet_smt::solver::horn::{self, Clause, Model, Solution, System};
use hornet_smt::solver::{Limits, Reason};
use hornet_symbolic::exec::{AllEffects, CheckKey, Passable, Place};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Checks that hold on all runs, and why.
#[derive(Clone, Debug)]
pub struct Proof {
    pub checks: Vec<CheckKey>,
    pub invariants: Vec<Invariant>,
}

/// Something that holds whenever control is at some place.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub place: Place,
    /// As a Solidity expression, if it can be written as one.
    pub text: Option<String>,
}

/// Why a check was not proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Open {
    /// The clauses admit a run that breaks it, which may use more than the contract can do.
    Refuted,
    /// Nobody found invariants, for this reason.
    Undecided(String),
}

/// Tries to prove checks of a contract. `known` are places of assertions that hold. Tells of each proof as soon as it is
/// there; the answer is about the other checks.
pub fn prove(
    program: &Program,
    contract: ContractId,
    wanted: &[CheckKey],
    known: &FxHashSet<Span>,
    settings: &Settings,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Proof),
) -> Vec<(CheckKey, Open)> {
    let all = |why: &str| {
        wanted.iter().map(|key| (key.clone(), Open::Undecided(why.to_owned()))).collect::<Vec<_>>()
    };
    let effects = AllEffects::new(program);
    let followed = match follow(program, &effects, contract, Passable::AllBut(known.clone()), settings) {
        Ok(followed) => followed,
        Err(why) => return all(&why.0),
    };
    match Task::new(followed, wanted) {
        Some(mut task) => task.run(settings, stop, tell),
        None => all("too many ways through the code"),
    }
}

/// How long is tried for each check, first of all.
const FIRST_SLICE: Duration = Duration::from_secs(1);

/// What is demanded of the predicates, and what is to be shown with them.
struct Task<'p> {
    followed: Followed<'p>,
    demands: Vec<Clause>,
    wanted: Vec<(CheckKey, Vec<Clause>)>,
}

impl<'p> Task<'p> {
    /// `None` if the clauses are too many.
    fn new(mut followed: Followed<'p>, wanted: &[CheckKey]) -> Option<Task<'p>> {
        let facts = Facts::new(&followed.ex.cx);
        let mut demands = Vec::new();
        for demand in followed.ex.unknowns.demands.clone() {
            let head = Some(demand.head);
            demands.extend(clauses(&mut followed.ex.cx, &facts, &demand.what, demand.body, head)?);
        }
        let mut queries = Vec::new();
        for query in &followed.queries {
            let mut failures = Vec::new();
            for failure in &query.failures {
                if followed.ex.cx.terms.as_bool(*failure) != Some(false) {
                    failures.extend(clauses(&mut followed.ex.cx, &facts, "failure", *failure, None)?);
                }
            }
            match &query.check {
                None => demands.extend(failures),
                Some(key) if wanted.contains(key) => queries.push((key.clone(), failures)),
                Some(_) => {}
            }
        }
        Some(Task { followed, demands, wanted: queries })
    }

    /// All at once, if that works; else one after the other, with growing patience.
    fn run(
        &mut self,
        settings: &Settings,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Proof),
    ) -> Vec<(CheckKey, Open)> {
        let mut left: Vec<usize> = (0..self.wanted.len()).collect();
        let mut open: Vec<(CheckKey, Open)> = Vec::new();
        let whole = settings.solving.limits.time;
        let mut slice = FIRST_SLICE.min(whole);
        if left.len() > 1 && self.attempt(&left, slice, settings, stop, tell).is_none() {
            return open;
        }
        loop {
            let mut again = Vec::new();
            for at in left {
                let over = stop.load(Ordering::Relaxed) || Instant::now() >= settings.deadline;
                let key = self.wanted[at].0.clone();
                let why = match over {
                    true => Some(Open::Undecided("the time limit was reached".to_owned())),
                    false => self.attempt(&[at], slice, settings, stop, tell),
                };
                match why {
                    None => {}
                    Some(Open::Undecided(_)) if !over && slice < whole => again.push(at),
                    Some(why) => open.push((key, why)),
                }
            }
            if again.is_empty() {
                return open;
            }
            left = again;
            slice = (slice * 4).min(whole);
        }
    }

    /// Proves some of the checks together; else says why not.
    fn attempt(
        &mut self,
        chosen: &[usize],
        slice: Duration,
        settings: &Settings,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Proof),
    ) -> Option<Open> {
        let queries = chosen.iter().flat_map(|at| &self.wanted[*at].1);
        let system = System { clauses: self.demands.iter().chain(queries).cloned().collect() };
        match self.solve(&system, slice, settings, stop) {
            Ok(model) => {
                let checks = chosen.iter().map(|at| self.wanted[*at].0.clone()).collect();
                tell(Proof { checks, invariants: invariants(&self.followed.ex, &model) });
                None
            }
            Err(why) => Some(why),
        }
    }

    /// A model that was checked again.
    fn solve(
        &mut self,
        system: &System,
        slice: Duration,
        settings: &Settings,
        stop: &AtomicBool,
    ) -> Result<Model, Open> {
        let left = settings.deadline.saturating_duration_since(Instant::now());
        let limits = Limits { time: slice.min(left), ..settings.solving.limits };
        let terms = &mut self.followed.ex.cx.terms;
        match horn::solve_portfolio(terms, system, &settings.horn, limits, stop) {
            Solution::Safe(model) => match horn::check(terms, system, &model, &settings.solving, stop) {
                Ok(_) => Ok(model),
                Err(refused) => Err(Open::Undecided(refused.to_string())),
            },
            Solution::Unsafe => Err(Open::Refuted),
            Solution::Unknown(reason) => Err(Open::Undecided(in_words(&reason))),
        }
    }
}

fn in_words(reason: &Reason) -> String {
    match reason {
        Reason::TimeOut => "the time limit was reached".to_owned(),
        Reason::Memory => "the memory limit was reached".to_owned(),
        Reason::Crashed(how) => format!("the solver ended unexpectedly: {how}"),
        Reason::Stopped => "the work was stopped".to_owned(),
        Reason::GaveUp(why) => format!("the solver gave up: {why}"),
    }
}
