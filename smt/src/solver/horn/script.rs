//! A system of clauses as one SMT-LIB script of logic HORN.

use super::{System, predicate};
use crate::solver::Reason;
use crate::term::{Dialect, Function, Op, Printer, TermId, Terms};
use std::sync::Arc;

/// A script, and who its names stand for.
pub(super) struct Script {
    pub text: String,
    /// With the names that the script gives them, without bars.
    pub predicates: Vec<(String, Arc<Function>)>,
}

impl Script {
    /// `settings` are options of Z3, written before everything else.
    pub fn of(
        terms: &mut Terms,
        system: &System,
        dialect: Dialect,
        settings: &[(&str, &str)],
    ) -> Result<Script, Reason> {
        let mut printer = Printer::new(dialect);
        let mut text = String::new();
        let mut line = |command: &str| {
            text.push_str(command);
            text.push('\n');
        };
        for (key, value) in settings {
            line(&format!("(set-option {key} {value})"));
        }
        line("(set-logic HORN)");
        let mut predicates = Vec::new();
        for function in system.predicates(terms) {
            if let Some(command) = printer.declare(&function) {
                line(&command);
            }
            let name = printer.function_name(&function).unwrap_or_default();
            predicates.push((name.trim_matches('|').to_owned(), function));
        }
        for clause in &system.clauses {
            let body = applications_first(terms, &clause.body);
            let head = clause.head.unwrap_or_else(|| terms.bool(false));
            is_horn(terms, &clause.name, &body, head)?;
            line(&printer.assert_clause(terms, &body, head).ok_or_else(not_expressible)?);
        }
        line("(check-sat)");
        line("(get-model)");
        Ok(Script { text, predicates })
    }
}

fn not_expressible() -> Reason {
    Reason::GaveUp("the clauses use arrays that only Z3 has an expression for".into())
}

/// The applications of predicates, then everything else as one condition, in which shared parts are written once.
fn applications_first(terms: &mut Terms, body: &[TermId]) -> Vec<TermId> {
    let all = terms.and_all(body.iter().copied());
    let parts = if *terms.op(all) == Op::And { terms.args(all).to_vec() } else { vec![all] };
    let (mut body, conditions): (Vec<TermId>, Vec<TermId>) =
        parts.into_iter().partition(|part| predicate(terms, *part).is_some());
    let condition = terms.and_all(conditions);
    if terms.as_bool(condition) != Some(true) {
        body.push(condition);
    }
    body
}

/// A Horn solver may choose what a function is, as it may for a predicate. That is right for predicates alone: about other
/// functions nothing is known, and a proof must hold whatever they are. So functions are applied nowhere but where Horn
/// clauses have predicates.
fn is_horn(terms: &Terms, clause: &str, body: &[TermId], head: TermId) -> Result<(), Reason> {
    let mut foreign = None;
    for part in body.iter().copied().chain([head]) {
        let inner = if predicate(terms, part).is_some() { terms.args(part) } else { &[part] };
        terms.walk(inner, |term| {
            if let Op::Apply(function) = terms.op(term) {
                foreign.get_or_insert_with(|| function.name.clone());
            }
        });
    }
    match foreign {
        None => Ok(()),
        Some(name) => Err(Reason::GaveUp(format!("clause `{clause}` uses the unknown function `{name}`"))),
    }
}
