//! Proofs over any number of transactions.

use crate::Settings;
use crate::clauses::{Facts, clauses};
use crate::contract::{Followed, follow};
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::span::Span;
use hornet_smt::solver::Limits;
use hornet_smt::solver::horn::{self, Clause, Model, Solution, System};
use hornet_symbolic::exec::{AllEffects, CheckKey, Passable};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Checks that hold on all runs, and why.
#[derive(Clone, Debug)]
pub struct Proof {
    pub checks: Vec<CheckKey>,
    pub invariants: Vec<Invariant>,
}

/// Something that holds whenever control is at some place.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// In words: "after every transaction", "whenever the loop at line 7 begins an iteration".
    pub place: String,
    /// As a Solidity expression, if it can be written as one.
    pub text: Option<String>,
}

/// Tries to prove checks of a contract. `known` are places of assertions that hold. Tells of each proof as soon as it is
/// there.
pub fn prove(
    program: &Program,
    contract: ContractId,
    wanted: &[CheckKey],
    known: &FxHashSet<Span>,
    settings: &Settings,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Proof),
) {
    let effects = AllEffects::new(program);
    let Ok(followed) = follow(program, &effects, contract, Passable::AllBut(known.clone()), settings) else {
        return;
    };
    let Some(mut task) = Task::new(followed, wanted) else { return };
    task.run(settings, stop, tell);
}

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
        let mut all = Vec::new();
        for demand in followed.ex.unknowns.demands.clone() {
            all.extend(clauses(&mut followed.ex.cx, &facts, &demand.what, demand.body, Some(demand.head))?);
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
                None => all.extend(failures),
                Some(key) if wanted.contains(key) => queries.push((key.clone(), failures)),
                Some(_) => {}
            }
        }
        Some(Task { followed, demands: all, wanted: queries })
    }

    /// All at once, if that works; else one after the other.
    fn run(&mut self, settings: &Settings, stop: &AtomicBool, tell: &mut dyn FnMut(Proof)) {
        let all: Vec<usize> = (0..self.wanted.len()).collect();
        if all.is_empty() || self.attempt(&all, settings, stop, tell) || all.len() == 1 {
            return;
        }
        for at in all {
            if stop.load(Ordering::Relaxed) || Instant::now() >= settings.deadline {
                return;
            }
            self.attempt(&[at], settings, stop, tell);
        }
    }

    fn attempt(
        &mut self,
        chosen: &[usize],
        settings: &Settings,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Proof),
    ) -> bool {
        let queries = chosen.iter().flat_map(|at| &self.wanted[*at].1);
        let system = System { clauses: self.demands.iter().chain(queries).cloned().collect() };
        let Some(_model) = self.solve(&system, settings, stop) else { return false };
        let checks = chosen.iter().map(|at| self.wanted[*at].0.clone()).collect();
        tell(Proof { checks, invariants: Vec::new() });
        true
    }

    /// A model that was checked again.
    fn solve(&mut self, system: &System, settings: &Settings, stop: &AtomicBool) -> Option<Model> {
        let left = settings.deadline.saturating_duration_since(Instant::now());
        let limits = Limits { time: settings.solving.limits.time.min(left), ..settings.solving.limits };
        let terms = &mut self.followed.ex.cx.terms;
        let began = Instant::now();
        let solution = horn::solve_portfolio(terms, system, &settings.horn, limits, stop);
        if std::env::var_os("HORN_DEBUG").is_some() {
            eprintln!(
                "{} clauses: {} in {:?}",
                system.clauses.len(),
                match &solution {
                    Solution::Safe(_) => "safe".to_owned(),
                    Solution::Unsafe => "unsafe".to_owned(),
                    Solution::Unknown(r) => format!("{r:?}"),
                },
                began.elapsed()
            );
            for c in &system.clauses {
                eprintln!("  {} body {} head {}", c.name, c.body.len(), c.head.is_some());
            }
        }
        match solution {
            Solution::Safe(model) => {
                horn::check(terms, system, &model, &settings.solving, stop).ok().map(|_| model)
            }
            Solution::Unsafe | Solution::Unknown(_) => None,
        }
    }
}
