//! Where solver programs are.

use super::worker::{CONVERSATION_ARGUMENT, can_be_worker};
use super::{Solver, SolverKind};
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What our own program is called as a solver.
const BUILTIN: &str = "builtin";

/// A solver that is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverError {
    pub wanted: String,
    /// Every file that was tried.
    pub looked_at: Vec<PathBuf>,
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "solver `{}` not found", self.wanted)?;
        for (position, path) in self.looked_at.iter().enumerate() {
            let lead = if position == 0 { "; looked at" } else { "," };
            write!(f, "{lead} {}", path.display())?;
        }
        Ok(())
    }
}

impl std::error::Error for SolverError {}

impl Solver {
    /// Finds `z3`, `cvc5`, `yices`, another program by name, or the program at a path. `explicit_bin` is where the user
    /// says it is; then it is nowhere else. Otherwise: what set-up unpacked, beside our own program, the search path.
    /// Our own program is `builtin`, and z3 where there is no other.
    pub fn find(name_or_path: &str, explicit_bin: Option<&Path>) -> Result<Solver, SolverError> {
        if name_or_path == BUILTIN
            && explicit_bin.is_none()
            && let Some(builtin) = Solver::builtin()
        {
            return Ok(builtin);
        }
        let given = explicit_bin.or_else(|| name_or_path.contains('/').then(|| Path::new(name_or_path)));
        let looked_at = match given {
            Some(path) => vec![path.to_owned()],
            None => usual_places(name_or_path),
        };
        let program = looked_at.iter().find(|path| is_program(path));
        let found = program.map(|program| Solver::at(program.clone(), kind_of(name_or_path)));
        let instead = || Solver::builtin().filter(|_| given.is_none() && name_or_path == "z3");
        found.or_else(instead).ok_or(SolverError { wanted: name_or_path.to_owned(), looked_at })
    }

    /// The linked libz3 in processes of our own program, if that can be a worker.
    fn builtin() -> Option<Solver> {
        let program = std::env::current_exe().ok().filter(|_| can_be_worker())?;
        Some(Solver { kind: SolverKind::Z3, program, args: vec![CONVERSATION_ARGUMENT.to_owned()] })
    }

    /// Whether it is our own program.
    pub fn is_builtin(&self) -> bool {
        self.args.first().is_some_and(|first| first == CONVERSATION_ARGUMENT)
    }

    /// The solver at a known place, with the arguments its kind needs to read commands from a pipe.
    pub fn at(program: PathBuf, kind: SolverKind) -> Solver {
        let args: &[&str] = match kind {
            SolverKind::Z3 => &["-smt2", "-in"],
            SolverKind::Cvc5 => &["--lang=smt2", "--incremental", "--quiet"],
            // The other engine of yices knows no multiplication.
            SolverKind::Yices => &["--incremental", "--mcsat"],
            SolverKind::Other => &[],
        };
        Solver { kind, program, args: args.iter().map(|arg| (*arg).to_owned()).collect() }
    }
}

fn kind_of(name_or_path: &str) -> SolverKind {
    let name = Path::new(name_or_path).file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with("z3") {
        SolverKind::Z3
    } else if name.starts_with("cvc5") {
        SolverKind::Cvc5
    } else if name.starts_with("yices") {
        SolverKind::Yices
    } else {
        SolverKind::Other
    }
}

fn usual_places(name: &str) -> Vec<PathBuf> {
    let file = if name == "yices" { "yices-smt2" } else { name };
    let unpacked =
        option_env!("HORNET_SOLVERS").map(|root| Path::new(root).join(name).join("bin").join(file));
    let beside_us = std::env::current_exe().ok().map(|exe| exe.with_file_name(file));
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&search_path).map(|folder| folder.join(file));
    unpacked.into_iter().chain(beside_us).chain(on_path).collect()
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
