//! Several ways to solve the same clauses, raced: which one is fast differs from system to system by orders of magnitude.

use super::script::Script;
use super::{HornSolver, Solution, System, answer};
use crate::solver::batch::Output;
use crate::solver::process::Until;
use crate::solver::{Limits, Reason};
use crate::term::Terms;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One way to ask a solver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Configuration {
    pub name: &'static str,
    /// Options of Z3.
    pub settings: &'static [(&'static str, &'static str)],
    /// How much of the whole time it gets before the next one has its turn.
    pub share: f64,
}

/// Without it, counterexamples to induction are abstracted so far that wrapping arithmetic is a matter of luck.
const PRECISE: (&str, &str) = (":fp.spacer.weak_abs", "false");

/// What lets Spacer find facts about all elements of arrays.
const CHEAP_ITE: (&str, &str) = (":rewriter.pull_cheap_ite", "true");
const GENERALISED: (&str, &str) = (":fp.spacer.q3.use_qgen", "true");
const NO_MBQI: (&str, &str) = (":fp.spacer.mbqi", "false");
const OPEN_GOALS: (&str, &str) = (":fp.spacer.ground_pobs", "false");

/// Which are worth their time was found by measuring, on systems like those of contracts. The first decides nearly all that
/// any of them decides, in a fraction of a second; the others are there for what it gives up on or does not finish.
pub const PORTFOLIO: &[Configuration] = &[
    Configuration {
        name: "quantified, precise",
        settings: &[CHEAP_ITE, GENERALISED, NO_MBQI, OPEN_GOALS, PRECISE],
        share: 0.3,
    },
    Configuration { name: "precise", settings: &[PRECISE], share: 0.3 },
    Configuration { name: "default", settings: &[], share: 0.2 },
    Configuration {
        name: "quantified",
        settings: &[CHEAP_ITE, GENERALISED, NO_MBQI, OPEN_GOALS],
        share: 0.2,
    },
    Configuration {
        name: "quantified, global",
        settings: &[CHEAP_ITE, GENERALISED, NO_MBQI, OPEN_GOALS, (":fp.spacer.global", "true")],
        share: 0.2,
    },
];

/// Spacer puts in predicates that few clauses define. It is faster for that, but their definitions then speak of all that
/// those clauses do, and are hard to check again; this one leaves them be.
pub const PLAIN: &[Configuration] = &[Configuration {
    name: "quantified, precise, plain",
    settings: &[
        CHEAP_ITE,
        GENERALISED,
        NO_MBQI,
        OPEN_GOALS,
        PRECISE,
        (":fp.xform.inline_eager", "false"),
        (":fp.xform.inline_linear", "false"),
    ],
    share: 1.0,
}];

/// Less is not worth starting a process.
const SHORTEST_SLICE: Duration = Duration::from_millis(300);

/// Several solvers and configurations, and how many of them run at the same time.
#[derive(Clone, Debug)]
pub struct Portfolio {
    pub solvers: Vec<HornSolver>,
    /// For those solvers that are Z3; others are asked once.
    pub configurations: Vec<Configuration>,
    pub at_once: usize,
}

impl Portfolio {
    /// The built-in configurations, two at a time, and after them the other solvers.
    pub fn of(solvers: Vec<HornSolver>) -> Portfolio {
        Portfolio { solvers, configurations: PORTFOLIO.to_vec(), at_once: 2 }
    }

    /// The same solvers, asked for models that are easy to check.
    pub fn plain(&self) -> Portfolio {
        Portfolio { configurations: PLAIN.to_vec(), ..self.clone() }
    }
}

/// Asks all until one has an answer; the others are ended at once. `limits.time` is for everything together. The reason
/// for no answer is that of the first attempt.
pub fn solve_portfolio(
    terms: &mut Terms,
    system: &System,
    portfolio: &Portfolio,
    limits: Limits,
    stop: &AtomicBool,
) -> Solution {
    let started = Instant::now();
    let mut attempts = match attempts(terms, system, portfolio, limits.time) {
        Ok(attempts) => attempts,
        Err(reason) => return Solution::Unknown(reason),
    };
    let mut reason = Reason::GaveUp("there is no Horn solver".into());
    while !attempts.is_empty() {
        let race = Race { limits, deadline: started + limits.time, stop, state: Mutex::default() };
        let (winner, failed) = race.run(&attempts, portfolio.at_once.max(1));
        let Some((index, output)) = winner else {
            return Solution::Unknown(failed.unwrap_or(reason));
        };
        match answer::read(terms, &attempts[index].script, &output) {
            Solution::Unknown(unreadable) => reason = unreadable,
            solution => return solution,
        }
        attempts.remove(index);
    }
    Solution::Unknown(reason)
}

/// One solver in one configuration.
struct Attempt<'a> {
    solver: &'a HornSolver,
    script: Script,
    slice: Duration,
}

fn attempts<'a>(
    terms: &mut Terms,
    system: &System,
    portfolio: &'a Portfolio,
    time: Duration,
) -> Result<Vec<Attempt<'a>>, Reason> {
    let mut attempts = Vec::new();
    for solver in &portfolio.solvers {
        if solver.is_z3() {
            for configuration in &portfolio.configurations {
                let script = solver.script(terms, system, configuration.settings)?;
                let slice = time.mul_f64(configuration.share.clamp(0.0, 1.0)).max(SHORTEST_SLICE);
                attempts.push(Attempt { solver, script, slice });
            }
        } else if let Ok(script) = solver.script(terms, system, &[]) {
            attempts.push(Attempt { solver, script, slice: time });
        }
    }
    Ok(attempts)
}

struct Race<'a> {
    limits: Limits,
    deadline: Instant,
    stop: &'a AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What comes next, by index, and whether it was tried before; then it may run to the end.
    queue: VecDeque<(usize, bool)>,
    winner: Option<(usize, Output)>,
    /// Why attempts ended without an answer, with their index.
    failed: Vec<(usize, Reason)>,
}

impl Race<'_> {
    /// The first answer, or why the first of the attempts has none.
    fn run(&self, attempts: &[Attempt], at_once: usize) -> (Option<(usize, Output)>, Option<Reason>) {
        self.state().queue = (0..attempts.len()).map(|index| (index, false)).collect();
        let decided = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..at_once.min(attempts.len()) {
                scope.spawn(|| self.run_next(attempts, &decided));
            }
        });
        let state = std::mem::take(&mut *self.state());
        let first = state.failed.into_iter().min_by_key(|(index, _)| *index);
        (state.winner, first.map(|(_, reason)| reason))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One attempt after the other, until there is an answer or nothing left to try.
    fn run_next(&self, attempts: &[Attempt], decided: &AtomicBool) {
        loop {
            // The lock is not held while a solver runs.
            let next = self.state().queue.pop_front();
            let Some((index, again)) = next else { return };
            let attempt = &attempts[index];
            let slice_ends = Instant::now() + attempt.slice;
            let deadline = if again { self.deadline } else { self.deadline.min(slice_ends) };
            let until = Until { deadline, stop: &[self.stop, decided] };
            let result = attempt.solver.ask(&attempt.script, self.limits, until);
            let mut state = self.state();
            match result {
                Ok(output) if answer::is_decisive(&output) => {
                    state.winner.get_or_insert((index, output));
                    decided.store(true, Ordering::Relaxed);
                }
                Ok(output) => state.failed.push((index, output.why_no_answer())),
                Err(Reason::TimeOut) if Instant::now() < self.deadline => {
                    state.queue.push_back((index, true))
                }
                Err(reason) => state.failed.push((index, reason)),
            }
            if state.winner.is_some() || self.stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}
