//! The solvers a run uses: found before anything else is done, so that a missing one is said at once.

use crate::args::SolverArgs;
use hornet_smt::solver::horn::{HornSolver, Portfolio};
use hornet_smt::solver::{Group, Limits, Options, PRINT_SUCCESS, Solver};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

/// A solver that does not tell its version in this time is shown without one.
const PATIENCE: Duration = Duration::from_secs(1);

/// A program that somebody names may take its time to start.
const PATIENCE_FOR_ANSWERS: Duration = Duration::from_secs(10);
/// One word is expected.
const LONGEST_ANSWER: u64 = 1000;

pub struct Solvers {
    solvers: Vec<Solver>,
    horn: Vec<HornSolver>,
}

impl Solvers {
    pub fn find(args: &SolverArgs) -> Result<Solvers, String> {
        let mut found: Vec<Solver> = Vec::new();
        for (i, name) in args.solvers.iter().enumerate() {
            let program = args.solver_bin.as_deref().filter(|_| i == 0);
            let solver = Solver::find(name, program).map_err(|e| e.to_string())?;
            // Those that set-up installs are known to be solvers, and cost nothing to start with.
            if (program.is_some() || name.contains('/')) && !is_solver(&solver) {
                return Err(format!("`{}` is not an SMT-LIB solver", solver.program.display()));
            }
            if !found.contains(&solver) {
                found.push(solver);
            }
        }
        if let Some(folder) = &args.dump_smt {
            std::fs::create_dir_all(folder)
                .map_err(|e| format!("--dump-smt: cannot make `{}`: {e}", folder.display()))?;
        }
        let horn = args.horn_solvers.iter().map(|name| horn_solver(name)).collect::<Result<_, _>>()?;
        Ok(Solvers { solvers: found, horn })
    }

    pub fn options(&self, args: &SolverArgs) -> Options {
        Options {
            solvers: self.solvers.clone(),
            limits: Limits { time: args.timeout, memory_mb: args.memory },
            dump: args.dump_smt.clone(),
            ..Options::default()
        }
    }

    /// The programs that give answers.
    pub fn programs(&self) -> Vec<&Path> {
        let horn = self
            .horn
            .iter()
            .map(|(HornSolver::Builtin(program) | HornSolver::Path(program))| program.as_path());
        self.solvers.iter().map(|solver| solver.program.as_path()).chain(horn).collect()
    }

    /// Those that solve Horn clauses.
    pub fn horn(&self) -> Portfolio {
        Portfolio::of(self.horn.clone())
    }

    /// `z3 5.3.2`, … once they have said so, which need not wait for anything else.
    pub fn describe(&self) -> JoinHandle<Vec<String>> {
        let solvers = self.solvers.clone();
        let shown = |solver: &Solver| match version(solver) {
            Some(version) => format!("{} {version}", solver.name()),
            None => solver.name(),
        };
        std::thread::spawn(move || solvers.iter().map(shown).collect())
    }
}

/// Whether a program that somebody names takes the first command of every conversation.
fn is_solver(solver: &Solver) -> bool {
    let mut command = Command::new(&solver.program);
    command.args(&solver.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut group) = Group::spawn(&mut command) else { return false };
    let (stdin, stdout) = (group.child().stdin.take(), group.child().stdout.take());
    let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else { return false };
    // What does not want to hear it has ended, and says nothing.
    let _ = stdin.write_all(PRINT_SUCCESS.as_bytes()).and_then(|()| stdin.write_all(b"\n"));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let _ = BufReader::new(stdout.take(LONGEST_ANSWER)).read_line(&mut line);
        let _ = sender.send(line);
    });
    receiver.recv_timeout(PATIENCE_FOR_ANSWERS).is_ok_and(|line| line.trim() == "success")
}

fn horn_solver(name: &str) -> Result<HornSolver, String> {
    if name == "builtin" {
        return HornSolver::find().map_err(|e| e.to_string());
    }
    let found = Solver::find(name, None).map_err(|e| format!("--horn-solver: {e}"))?;
    Ok(HornSolver::Path(found.program))
}

/// What the program itself says, for it need not be the one we were built with.
fn version(solver: &Solver) -> Option<String> {
    if solver.is_builtin() {
        return Some(hornet_smt::z3_version());
    }
    let mut child = Command::new(&solver.program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut output = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = output.read_to_string(&mut text);
        let _ = sender.send(read.map(|_| text));
    });
    let text = receiver.recv_timeout(PATIENCE);
    let _ = child.kill();
    let _ = child.wait();
    version_in(&text.ok()?.ok()?)
}

/// The first thing that looks like `1.2.3`.
fn version_in(text: &str) -> Option<String> {
    let looks_right =
        |word: &&str| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.split_whitespace().find(looks_right).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions() {
        assert_eq!(version_in("Z3 version 5.3.2 - 64 bit\n").as_deref(), Some("5.3.2"));
        assert_eq!(version_in("This is cvc5 version 1.0.3 [git …]").as_deref(), Some("1.0.3"));
        assert_eq!(version_in("Yices 2.6.5\nCopyright SRI").as_deref(), Some("2.6.5"));
        assert_eq!(version_in("usage: nothing"), None);
    }
}
