//! A conversation with one solver that survives the death of its process.

use super::pool;
use super::process::{POP, PRINT_SUCCESS, PUSH, Process, Until};
use super::values::read_values;
use super::{Answer, Limits, Reason, Solver, SolverKind};
use crate::term::{Printer, TermId, Terms, Value};
use easy_smt::{Context, SExpr, SExprData};
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A solver that stops by its own clock gets this much longer before it is killed.
const SLACK: Duration = Duration::from_millis(100);

/// Assertions at levels, as in SMT-LIB. Commands are sent when an answer is needed; when the process has died, the next check
/// starts a new one and repeats what is asserted.
pub struct Session {
    solver: Solver,
    limits: Limits,
    dump: Option<PathBuf>,
    printer: Printer,
    /// What is asserted, level by level.
    levels: Vec<Vec<String>>,
    process: Option<Process>,
    /// What the process has not been told yet.
    unsent: Vec<String>,
    /// Whether the process may come from, and go to, those that are kept for later.
    pooled: bool,
}

impl Session {
    /// A session with a process of its own. `dump` collects everything that is sent.
    pub fn start(solver: &Solver, limits: Limits, dump: Option<PathBuf>) -> Session {
        Session {
            solver: solver.clone(),
            limits,
            dump,
            printer: Printer::new(solver.dialect()),
            levels: vec![Vec::new()],
            process: None,
            unsent: Vec::new(),
            pooled: false,
        }
    }

    /// A session in a process that may have answered other questions before, which saves starting one.
    pub fn pooled(solver: &Solver, limits: Limits) -> Session {
        let mut session = Session::start(solver, limits, None);
        session.pooled = true;
        session
    }

    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Whether a process is running.
    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// All terms of a session come from one arena.
    pub fn assert(&mut self, terms: &Terms, term: TermId) {
        let commands = self.printer.assert(terms, term);
        self.unsent.extend_from_slice(&commands);
        if let Some(level) = self.levels.last_mut() {
            level.extend(commands);
        }
    }

    pub fn push(&mut self) {
        self.printer.push();
        self.levels.push(Vec::new());
        self.unsent.push(PUSH.into());
    }

    /// Forgets everything since the matching `push`. Without one there is nothing to forget.
    pub fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.printer.pop();
            self.levels.pop();
            self.unsent.push(POP.into());
        }
    }

    pub fn check(&mut self) -> Answer {
        self.check_within(self.limits.time, &[])
    }

    /// A check with a time limit of its own, ended early when one of the flags is set.
    pub fn check_within(&mut self, time: Duration, stop: &[&AtomicBool]) -> Answer {
        let deadline = Instant::now() + time;
        let result = self.ask_for_answer(deadline, Until { deadline: deadline + SLACK, stop });
        result.unwrap_or_else(|reason| {
            // Dead, or in a state we know nothing about.
            self.process = None;
            Answer::Unknown(reason)
        })
    }

    fn ask_for_answer(&mut self, deadline: Instant, until: Until) -> Result<Answer, Reason> {
        self.ensure_running()?;
        let Some(process) = &mut self.process else { return Err(Reason::Crashed("not started".into())) };
        let mut unsent = std::mem::take(&mut self.unsent);
        if self.solver.kind == SolverKind::Z3 {
            let left = deadline.saturating_duration_since(Instant::now()).as_millis().clamp(1, 1 << 30);
            unsent.push(format!("(set-option :timeout {left})"));
        }
        process.send(&unsent, until)?;
        let answer = process
            .ask("(check-sat)", until, |context, reply| context.get_atom(reply).unwrap_or("").to_owned())?;
        match answer.as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            "unknown" | "timeout" => {
                let reason = process.ask("(get-info :reason-unknown)", until, second_item)?;
                Ok(Answer::Unknown(why_unknown(&reason, deadline)))
            }
            other => Err(Reason::GaveUp(format!("unexpected answer `{other}`"))),
        }
    }

    /// The values of `wanted` in the model of the last check, which must have been `sat` with nothing changed since.
    pub fn values(&mut self, terms: &Terms, wanted: &[TermId]) -> Result<Vec<Value>, Reason> {
        let until = Until { deadline: Instant::now() + self.limits.time + SLACK, stop: &[] };
        let Some(process) = &mut self.process else {
            return Err(Reason::GaveUp("there is no model".into()));
        };
        let result = read_values(process, &self.printer, terms, wanted, until);
        if matches!(result, Err(Reason::TimeOut | Reason::Memory | Reason::Crashed(_) | Reason::Stopped)) {
            self.process = None;
        }
        result
    }

    /// Starts a process that knows what is asserted, if none is running.
    fn ensure_running(&mut self) -> Result<(), Reason> {
        if self.process.is_some() {
            return Ok(());
        }
        let replay = match &self.dump {
            Some(path) => {
                Some(File::options().create(true).append(true).open(path).map_err(|error| {
                    Reason::GaveUp(format!("{} cannot be written: {error}", path.display()))
                })?)
            }
            None => None,
        };
        let process = if self.pooled {
            pool::take_or_start(&self.solver, self.limits)?
        } else {
            pool::start(&self.solver, self.limits, replay)?
        };
        self.process = Some(process);
        self.unsent.clear();
        self.unsent.push(PRINT_SUCCESS.into());
        self.unsent.push("(set-option :produce-models true)".into());
        // Z3 chooses for itself; the others want to be told.
        if self.solver.kind != SolverKind::Z3 {
            self.unsent.push("(set-logic ALL)".into());
        }
        for (depth, level) in self.levels.iter().enumerate() {
            // Whoever gets the process next has to be able to forget even the first level.
            if depth > 0 || self.pooled {
                self.unsent.push(PUSH.into());
            }
            self.unsent.extend_from_slice(level);
        }
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Whatever went wrong has taken the process away already.
        if let Some(process) = self.process.take().filter(|_| self.pooled) {
            pool::put_back(&self.solver, self.limits, process);
        }
    }
}

/// `why` in `(:reason-unknown why)`.
fn second_item(context: &Context, reply: SExpr) -> String {
    let Some([_, why]) = context.get_list(reply) else { return String::new() };
    match context.get(*why) {
        SExprData::String(why) | SExprData::Atom(why) => why.to_owned(),
        SExprData::List(_) => context.display(*why).to_string(),
    }
}

fn why_unknown(info: &str, deadline: Instant) -> Reason {
    if info.contains("memout") || info.contains("out of memory") {
        Reason::Memory
    } else if info.contains("timeout") || info.contains("canceled") || Instant::now() >= deadline {
        Reason::TimeOut
    } else {
        Reason::GaveUp(if info.is_empty() { "no reason given" } else { info }.to_owned())
    }
}
