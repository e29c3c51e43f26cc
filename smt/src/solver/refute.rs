//! What engines ask: is each of these claims impossible?

use super::dump::write_scripts;
use super::recall::Recall;
use super::{Answer, Limits, Reason, Session, Solver, SolverKind};
use crate::store::Store;
use crate::term::{TermId, Terms, Value};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The question whether the background and `claim` together are unsatisfiable.
#[derive(Clone, Debug)]
pub struct Goal {
    /// For files and messages.
    pub name: String,
    pub claim: TermId,
    /// Whose values are wanted if they are satisfiable.
    pub wanted: Vec<TermId>,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Several solvers work on the same goals at the same time.
    pub solvers: Vec<Solver>,
    /// For each goal and solver.
    pub limits: Limits,
    /// A folder for one script per goal.
    pub dump: Option<PathBuf>,
    /// Let every solver finish, instead of stopping the others at the first answer, to see whether they agree.
    pub cross_check: bool,
    /// Ask a process that has seen nothing else, as a check of evidence should.
    pub fresh: bool,
    /// Answers of earlier runs. Neither fresh processes nor cross-checks make use of them.
    pub memory: Option<Store>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    pub outcome: Outcome,
    /// The name of the solver that found it.
    pub solver: String,
    pub elapsed: Duration,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    Unsat,
    /// The values of the wanted terms, in their order.
    Sat {
        values: Vec<Value>,
    },
    Unknown(Reason),
    /// Two solvers disagree: one of them, or our printing, is wrong, and nothing follows.
    Contradiction {
        unsat: String,
        sat: String,
    },
}

/// Answers for the goals, in their order. `stop` ends everything soon.
pub fn refute_all(
    terms: &Terms,
    background: &[TermId],
    goals: &[Goal],
    options: &Options,
    stop: &AtomicBool,
) -> Vec<Verdict> {
    let dumped = options.dump.as_ref().map(|folder| write_scripts(terms, background, goals, options, folder));
    if let Some(Err(error)) = dumped {
        return no_answer(goals, &format!("the scripts cannot be written: {error}"));
    }
    if options.solvers.is_empty() {
        return no_answer(goals, "there is no solver");
    }
    let boards: Vec<Board> = goals.iter().map(|_| Board::default()).collect();
    let recall = Recall::new(terms, background, options);
    for (goal, board) in goals.iter().zip(&boards) {
        if let Some(verdict) = recall.verdict(goal) {
            board.post(verdict, true);
        }
    }
    if !boards.is_empty() && boards.iter().all(|board| board.decided.load(Ordering::Relaxed)) {
        return boards.into_iter().map(Board::verdict).collect();
    }
    let query = Query { terms, background, goals, options, stop };
    std::thread::scope(|scope| {
        for solver in &options.solvers {
            let (query, boards) = (&query, &boards);
            scope.spawn(move || query.run(solver, boards));
        }
    });
    let verdicts: Vec<Verdict> = boards.into_iter().map(Board::verdict).collect();
    goals.iter().zip(&verdicts).for_each(|(goal, verdict)| recall.note(goal, verdict));
    verdicts
}

fn no_answer(goals: &[Goal], why: &str) -> Vec<Verdict> {
    let verdict = Verdict {
        outcome: Outcome::Unknown(Reason::GaveUp(why.to_owned())),
        solver: String::new(),
        elapsed: Duration::ZERO,
    };
    vec![verdict; goals.len()]
}

/// Where the solvers write what they found about one goal.
#[derive(Default)]
struct Board {
    /// Set by the first certain answer, so that others working on the goal stop.
    decided: AtomicBool,
    verdicts: Mutex<Vec<Verdict>>,
}

impl Board {
    fn post(&self, verdict: Verdict, decides: bool) {
        self.verdicts.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(verdict);
        if decides {
            self.decided.store(true, Ordering::Relaxed);
        }
    }

    fn verdict(self) -> Verdict {
        let verdicts = self.verdicts.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let sat = verdicts.iter().find(|verdict| matches!(verdict.outcome, Outcome::Sat { .. }));
        let unsat = verdicts.iter().find(|verdict| verdict.outcome == Outcome::Unsat);
        match (unsat, sat) {
            (Some(unsat), Some(sat)) => Verdict {
                outcome: Outcome::Contradiction { unsat: unsat.solver.clone(), sat: sat.solver.clone() },
                solver: format!("{}, {}", unsat.solver, sat.solver),
                elapsed: unsat.elapsed.max(sat.elapsed),
            },
            (Some(certain), None) | (None, Some(certain)) => certain.clone(),
            // The solvers are listed by preference, but they write in the order in which they gave up.
            (None, None) => verdicts.into_iter().next().unwrap_or(Verdict {
                outcome: Outcome::Unknown(Reason::Stopped),
                solver: String::new(),
                elapsed: Duration::ZERO,
            }),
        }
    }
}

struct Query<'a> {
    terms: &'a Terms,
    background: &'a [TermId],
    goals: &'a [Goal],
    options: &'a Options,
    stop: &'a AtomicBool,
}

impl Query<'_> {
    /// One solver's way through all goals that nobody has decided yet.
    fn run(&self, solver: &Solver, boards: &[Board]) {
        let limits = self.options.limits;
        let mut session = if self.options.fresh {
            Session::start(solver, limits, None)
        } else {
            Session::pooled(solver, limits)
        };
        for assertion in self.background {
            session.assert(self.terms, *assertion);
        }
        for (goal, board) in self.goals.iter().zip(boards) {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let decided = board.decided.load(Ordering::Relaxed);
            if !decided || self.options.cross_check {
                let start = Instant::now();
                let outcome = self.decide(&mut session, goal, board);
                let certain = matches!(outcome, Outcome::Unsat | Outcome::Sat { .. });
                let verdict = Verdict { outcome, solver: solver.name(), elapsed: start.elapsed() };
                board.post(verdict, certain);
            }
        }
    }

    fn decide(&self, session: &mut Session, goal: &Goal, board: &Board) -> Outcome {
        let start = Instant::now();
        let limit = self.options.limits.time;
        session.push();
        session.assert(self.terms, goal.claim);
        let mut outcome = self.check(session, goal, board, first_try(session, limit));
        session.pop();
        let left = limit.saturating_sub(start.elapsed());
        let retry = matches!(outcome, Outcome::Unknown(Reason::TimeOut | Reason::GaveUp(_)));
        if retry && session.solver().kind == SolverKind::Z3 && left > Duration::from_millis(50) {
            outcome = self.decide_alone(session.solver(), goal, board, left);
        }
        outcome
    }

    /// The goal in a process of its own, without levels: Z3 then prepares the problem as a whole.
    fn decide_alone(&self, solver: &Solver, goal: &Goal, board: &Board, time: Duration) -> Outcome {
        let mut session = Session::start(solver, self.options.limits, None);
        for assertion in self.background {
            session.assert(self.terms, *assertion);
        }
        session.assert(self.terms, goal.claim);
        self.check(&mut session, goal, board, time)
    }

    fn check(&self, session: &mut Session, goal: &Goal, board: &Board, time: Duration) -> Outcome {
        let both = [self.stop, &board.decided];
        let flags = if self.options.cross_check { &both[..1] } else { &both[..] };
        match session.check_within(time, flags) {
            Answer::Unsat => Outcome::Unsat,
            Answer::Unknown(reason) => Outcome::Unknown(reason),
            Answer::Sat if goal.wanted.is_empty() => Outcome::Sat { values: Vec::new() },
            Answer::Sat => match session.values(self.terms, &goal.wanted) {
                Ok(values) => Outcome::Sat { values },
                Err(reason) => Outcome::Unknown(reason),
            },
        }
    }
}

/// How long the shared process may try before the goal is given to one of its own.
fn first_try(session: &Session, limit: Duration) -> Duration {
    if session.solver().kind == SolverKind::Z3 { limit / 3 } else { limit }
}
