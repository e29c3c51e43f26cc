//! A proof as a file that anybody can check: the definitions, and every clause negated. All answers must be `unsat`.

use super::sexpr::{Sexpr, read_all};
use super::{Clause, Model, System};
use crate::solver::batch::{self, Input, Run};
use crate::solver::dump::file_name;
use crate::solver::process::Until;
use crate::solver::{Limits, Reason, Solver, SolverKind};
use crate::term::{Dialect, Printer, Terms};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const HEADER: &str = "\
; A proof. The functions defined below are invariants: of the contract between transactions, of loops, of calls.
; After them comes one question for each rule that invariants must obey: can its conditions hold and its conclusion
; not? A solver that answers `unsat` to every question confirms the proof; any other answer refutes it.
;
;   z3 FILE                   if one of them takes long: z3 sat.smt=true FILE
;
";

/// Why a file is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotVerified {
    /// There is no such file, or it asks nothing.
    Unreadable(String),
    /// The question with this number, from one, has another answer than `unsat`.
    Answered { question: usize, answer: String },
    /// The solver did not get to the end.
    Unfinished(Reason),
}

impl fmt::Display for NotVerified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotVerified::Unreadable(why) => f.write_str(why),
            NotVerified::Answered { question, answer } => {
                write!(f, "question {question} is answered by `{answer}`")
            }
            NotVerified::Unfinished(reason) => reason.fmt(f),
        }
    }
}

/// Writes `<name>.smt2` into the folder, which is made if need be.
pub fn write_certificate(
    folder: &Path,
    name: &str,
    terms: &mut Terms,
    system: &System,
    model: &Model,
) -> io::Result<PathBuf> {
    let text = certificate(name, terms, system, model, Dialect::Standard)
        .or_else(|| certificate(name, terms, system, model, Dialect::Z3))
        .ok_or_else(|| io::Error::other("the invariants cannot be written as SMT-LIB"))?;
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("{}.smt2", file_name(name)));
    std::fs::write(&path, text)?;
    Ok(path)
}

/// The text; `None` if the language cannot express something in it without axioms.
fn certificate(
    name: &str,
    terms: &mut Terms,
    system: &System,
    model: &Model,
    dialect: Dialect,
) -> Option<String> {
    let mut printer = Printer::new(dialect);
    let mut text = comment(name) + HEADER + "(set-logic ALL)\n";
    for definition in &model.definitions {
        let command = printer.define(terms, &definition.predicate, &definition.params, definition.body)?;
        text.push_str(&command);
        text.push('\n');
    }
    for clause in &system.clauses {
        printer.push();
        text.push('\n');
        text.push_str(&comment(&clause.name));
        text.push_str("(push 1)\n");
        for command in question(terms, clause, &mut printer)? {
            text.push_str(&command);
            text.push('\n');
        }
        text.push_str("(check-sat) ; unsat\n(pop 1)\n");
        printer.pop();
    }
    Some(text)
}

/// Whatever is in it, it stays a comment.
fn comment(words: &str) -> String {
    words.lines().map(|line| format!("; {}\n", line.replace(char::is_control, " "))).collect()
}

/// The conditions of the clause, and that its conclusion does not hold.
fn question(terms: &mut Terms, clause: &Clause, printer: &mut Printer) -> Option<Vec<String>> {
    let mut parts = clause.body.clone();
    if let Some(head) = clause.head {
        parts.push(terms.not(head));
    }
    // An empty body without a head claims that nothing is possible.
    if parts.is_empty() {
        parts.push(terms.bool(true));
    }
    if printer.needs_axioms(terms, &parts) {
        return None;
    }
    Some(parts.iter().flat_map(|part| printer.assert(terms, *part)).collect())
}

/// Runs the solver on the file and gives the number of questions that it confirmed, which is all of them.
pub fn verify_certificate(
    path: &Path,
    solver: &Solver,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<usize, NotVerified> {
    let unreadable = |why: String| NotVerified::Unreadable(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let commands = read_all(&text).ok_or_else(|| unreadable("not SMT-LIB".into()))?;
    let expected = commands.iter().filter(|command| command.starts_with("check-sat")).count();
    if expected == 0 {
        return Err(unreadable("it asks nothing".into()));
    }
    let mut args = solver.args.clone();
    if solver.kind == SolverKind::Z3 {
        args.push(format!("-memory:{}", limits.memory_mb));
    }
    let run = Run { program: &solver.program, args, input: Input::Stdin };
    let until = Until { deadline: Instant::now() + limits.time, stop: &[stop] };
    let output = batch::run(&run, &text, limits, until).map_err(NotVerified::Unfinished)?;
    let answers = read_all(&output.text)
        .ok_or_else(|| NotVerified::Unfinished(Reason::GaveUp("its answers cannot be read".into())))?;
    for (at, answer) in answers.iter().enumerate() {
        if *answer != Sexpr::Atom("unsat") {
            let answer = answer.atom().unwrap_or("an error").to_owned();
            return Err(NotVerified::Answered { question: at + 1, answer });
        }
    }
    if answers.len() != expected {
        return Err(NotVerified::Unfinished(output.why_no_answer()));
    }
    Ok(expected)
}
