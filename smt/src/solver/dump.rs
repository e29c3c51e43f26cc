//! One self-contained script per goal, to be run again by hand.

use super::{Goal, Options, Solver};
use crate::term::{Dialect, Printer, TermId, Terms};
use std::collections::HashSet;
use std::io;
use std::path::Path;

/// Writes the goals as `<name>.smt2` into the folder, in the language of the first solver.
pub(super) fn write_scripts(
    terms: &Terms,
    background: &[TermId],
    goals: &[Goal],
    options: &Options,
    folder: &Path,
) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let dialect = options.solvers.first().map_or(Dialect::Z3, Solver::dialect);
    let mut taken = HashSet::new();
    for goal in goals {
        let base = file_name(&goal.name);
        let mut name = base.clone();
        let mut copy = 1;
        while !taken.insert(name.clone()) {
            copy += 1;
            name = format!("{base}-{copy}");
        }
        let script = script(terms, background, goal, dialect);
        std::fs::write(folder.join(format!("{name}.smt2")), script)?;
    }
    Ok(())
}

fn script(terms: &Terms, background: &[TermId], goal: &Goal, dialect: Dialect) -> String {
    let mut text = String::new();
    for line in goal.name.lines() {
        text.push_str(&format!("; {line}\n"));
    }
    text.push_str("; unsat: the claim is impossible\n");
    text.push_str(&question(terms, background, goal.claim, dialect));
    text
}

/// The commands that ask whether background and claim go together.
pub(super) fn question(terms: &Terms, background: &[TermId], claim: TermId, dialect: Dialect) -> String {
    let mut text = String::new();
    if dialect != Dialect::Z3 {
        text.push_str("(set-logic ALL)\n");
    }
    let mut printer = Printer::new(dialect);
    for assertion in background.iter().chain([&claim]) {
        for command in printer.assert(terms, *assertion) {
            text.push_str(&command);
            text.push('\n');
        }
    }
    text.push_str("(check-sat)\n");
    text
}

pub(super) fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = name.trim_start_matches('.').chars().map(plain).take(120).collect();
    if name.is_empty() { "goal".into() } else { name }
}
