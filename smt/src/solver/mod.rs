//! Solver processes: found, started, limited, asked, and never left behind.

mod batch;
mod dump;
mod find;
mod group;
pub mod horn;
mod linked;
mod pool;
mod process;
mod recall;
mod refute;
mod session;
mod values;
mod worker;

pub use find::SolverError;
pub use group::Group;
pub use pool::warm_up;
pub use process::PRINT_SUCCESS;
pub use refute::{Goal, Options, Outcome, Verdict, refute_all};
pub use session::Session;
pub use worker::{CONVERSATION_ARGUMENT, WORKER_ARGUMENT, worker_if_asked, worker_main};

use crate::term::Dialect;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SolverKind {
    Z3,
    Cvc5,
    Yices,
    Other,
}

/// A program that reads SMT-LIB 2 from its standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solver {
    pub kind: SolverKind,
    pub program: PathBuf,
    pub args: Vec<String>,
}

impl Solver {
    /// What to call it in messages.
    pub fn name(&self) -> String {
        match self.kind {
            SolverKind::Z3 => "z3".into(),
            SolverKind::Cvc5 => "cvc5".into(),
            SolverKind::Yices => "yices".into(),
            SolverKind::Other => self
                .program
                .file_stem()
                .map_or_else(|| "solver".into(), |stem| stem.to_string_lossy().into_owned()),
        }
    }

    /// The same program with its other engine, if it has two: what takes one of them long, the other may decide at once.
    pub fn other_engine(&self) -> Option<Solver> {
        (self.kind == SolverKind::Z3).then(|| {
            let mut other = self.clone();
            other.args.push("sat.smt=true".into());
            other
        })
    }

    pub fn dialect(&self) -> Dialect {
        match self.kind {
            SolverKind::Z3 => Dialect::Z3,
            SolverKind::Cvc5 | SolverKind::Yices | SolverKind::Other => Dialect::Standard,
        }
    }
}

/// What one solver process may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time of one check.
    pub time: Duration,
    pub memory_mb: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), memory_mb: 2048 }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    TimeOut,
    Memory,
    /// The process ended by itself or was killed by somebody else.
    Crashed(String),
    /// The solver said `unknown`, or refused what it was given.
    GaveUp(String),
    /// We were asked to stop.
    Stopped,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::TimeOut => f.write_str("time limit reached"),
            Reason::Memory => f.write_str("memory limit reached"),
            Reason::Crashed(how) => write!(f, "the solver crashed ({how})"),
            Reason::GaveUp(why) => write!(f, "the solver gave up ({why})"),
            Reason::Stopped => f.write_str("stopped"),
        }
    }
}
