//! Who solves Horn clauses, and how to run them.

use super::script::Script;
use super::{Solution, System, answer};
use crate::solver::batch::{self, Input, Run};
use crate::solver::process::Until;
use crate::solver::worker::{WORKER_ARGUMENT, can_be_worker};
use crate::solver::{Limits, Reason, Solver, SolverError};
use crate::term::{Dialect, Terms};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A solver of Horn clauses, run once per question in a process of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornSolver {
    /// The linked libz3's Spacer: the program, which is our own, started as a worker.
    Builtin(PathBuf),
    /// Another program: z3, Golem, Eldarica, or one that reads a file and answers as they do.
    Path(PathBuf),
}

impl HornSolver {
    /// Our own program if it can be a worker, else the z3 program.
    pub fn find() -> Result<HornSolver, SolverError> {
        match std::env::current_exe() {
            Ok(program) if can_be_worker() => Ok(HornSolver::Builtin(program)),
            Ok(_) | Err(_) => Ok(HornSolver::Path(Solver::find("z3", None)?.program)),
        }
    }

    /// What to call it in messages.
    pub fn name(&self) -> String {
        match self {
            HornSolver::Builtin(_) => "spacer".into(),
            HornSolver::Path(program) => {
                program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
            }
        }
    }

    /// Whether it understands the options of Z3, so that different configurations are different attempts.
    pub fn is_z3(&self) -> bool {
        match self {
            HornSolver::Builtin(_) => true,
            HornSolver::Path(_) => self.name().starts_with("z3"),
        }
    }

    fn program(&self) -> &Path {
        match self {
            HornSolver::Builtin(program) | HornSolver::Path(program) => program,
        }
    }

    fn run(&self, limits: Limits) -> Run<'_> {
        let memory = format!("-memory:{}", limits.memory_mb);
        let (args, input): (Vec<String>, Input) = match self {
            HornSolver::Builtin(_) => {
                (vec![WORKER_ARGUMENT.into(), limits.memory_mb.to_string()], Input::Stdin)
            }
            HornSolver::Path(_) if self.is_z3() => (vec!["-smt2".into(), "-in".into(), memory], Input::Stdin),
            HornSolver::Path(_) => {
                let args: &[&str] = match self.name().as_str() {
                    name if name.starts_with("golem") => &["--print-witness", "--input"],
                    name if name.starts_with("eld") => &["-hsmt", "-ssol"],
                    _ => &[],
                };
                (args.iter().map(|arg| (*arg).to_owned()).collect(), Input::Argument)
            }
        };
        Run { program: self.program(), args, input }
    }

    /// The system as this solver wants to read it.
    pub(super) fn script(
        &self,
        terms: &mut Terms,
        system: &System,
        settings: &[(&str, &str)],
    ) -> Result<Script, Reason> {
        if self.is_z3() {
            Script::of(terms, system, Dialect::Z3, settings)
        } else {
            Script::of(terms, system, Dialect::Standard, &[])
        }
    }

    pub(super) fn ask(&self, script: &Script, limits: Limits, until: Until) -> Result<batch::Output, Reason> {
        batch::run(&self.run(limits), &script.text, limits, until)
    }
}

/// Asks one solver. `settings` are options of Z3, such as `(":fp.spacer.mbqi", "false")`, which other solvers do not get.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    solver: &HornSolver,
    settings: &[(&str, &str)],
    limits: Limits,
    stop: &AtomicBool,
) -> Solution {
    let until = Until { deadline: Instant::now() + limits.time, stop: &[stop] };
    let asked = solver.script(terms, system, settings).and_then(|script| {
        let output = solver.ask(&script, limits, until)?;
        Ok(answer::read(terms, &script, &output))
    });
    asked.unwrap_or_else(Solution::Unknown)
}
