//! Constrained Horn clauses: predicates that nobody has defined yet, and what they must satisfy.
//!
//! Spacer finds definitions, or a refutation. Definitions are worth something only after [`check`]: each clause is asked
//! again, with the definitions in it, in a process that did not find them.

use super::formula::Formulas;
use super::process::{PRINT_SUCCESS, Process, Until};
use super::refute::{Goal, Options, Outcome, refute_all};
use super::{Limits, Reason, Solver};
use crate::term::{Dialect, Function, Op, Printer, Sort, TermId, Terms};
use easy_smt::{Context, SExpr};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// If the body holds, so does the head. Every free symbol stands for any value.
#[derive(Clone, Debug)]
pub struct Clause {
    /// For messages.
    pub name: String,
    /// Conditions, and applications of predicates.
    pub body: Vec<TermId>,
    /// An application of a predicate; `None`: the body must not hold.
    pub head: Option<TermId>,
}

/// Predicates are the functions to `Bool` that clauses apply.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub clauses: Vec<Clause>,
}

/// What predicates can be, so that all clauses hold.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub definitions: Vec<Definition>,
}

#[derive(Clone, Debug)]
pub struct Definition {
    pub predicate: Arc<Function>,
    pub params: Vec<TermId>,
    pub body: TermId,
}

#[derive(Clone, Debug)]
pub enum Solution {
    /// Not yet checked.
    Safe(Model),
    /// Some clause without a head can be reached.
    Unsafe,
    Unknown(Reason),
}

/// Asks Spacer. `settings` are options of z3, such as `(":fp.spacer.mbqi", "false")`.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    solver: &Solver,
    settings: &[(&str, &str)],
    limits: Limits,
    stop: &AtomicBool,
) -> Solution {
    let until = Until { deadline: Instant::now() + limits.time, stop: &[stop] };
    match ask(terms, system, solver, settings, limits, until) {
        Ok(solution) => solution,
        Err(reason) => Solution::Unknown(reason),
    }
}

fn ask(
    terms: &mut Terms,
    system: &System,
    solver: &Solver,
    settings: &[(&str, &str)],
    limits: Limits,
    until: Until,
) -> Result<Solution, Reason> {
    let mut printer = Printer::new(Dialect::Z3);
    let mut commands = vec![PRINT_SUCCESS.to_owned(), "(set-option :produce-models true)".to_owned()];
    commands.extend(settings.iter().map(|(key, value)| format!("(set-option {key} {value})")));
    commands.push("(set-logic HORN)".to_owned());
    for clause in &system.clauses {
        let closed = closed(terms, clause);
        commands.extend(printer.assert(terms, closed));
    }
    let mut process = Process::start(solver, limits, None)?;
    process.send(&commands, until)?;
    let answer = process
        .ask("(check-sat)", until, |context, reply| context.get_atom(reply).unwrap_or("").to_owned())?;
    match answer.as_str() {
        "sat" => {
            let predicates = predicates(terms, system);
            let model = process.ask("(get-model)", until, |context, reply| {
                read_model(context, reply, terms, &printer, &predicates)
            })?;
            Ok(match model {
                Some(model) => Solution::Safe(model),
                None => Solution::Unknown(Reason::GaveUp("the invariants cannot be read".into())),
            })
        }
        "unsat" => Ok(Solution::Unsafe),
        "unknown" => Ok(Solution::Unknown(Reason::GaveUp("unknown".into()))),
        other => Err(Reason::GaveUp(format!("unexpected answer `{other}`"))),
    }
}

/// The clause for all values of its symbols.
fn closed(terms: &mut Terms, clause: &Clause) -> TermId {
    let body = terms.and_all(clause.body.iter().copied());
    let head = clause.head.unwrap_or_else(|| terms.bool(false));
    let mut symbols = Vec::new();
    terms.walk(&[body, head], |term| {
        if matches!(terms.op(term), Op::Symbol(_)) {
            symbols.push(term);
        }
    });
    let mut replaced = FxHashMap::default();
    let mut bound = Vec::new();
    for symbol in symbols {
        let sort = terms.sort(symbol).clone();
        let variable = terms.fresh_bound("x", sort);
        replaced.insert(symbol, variable);
        bound.push(variable);
    }
    let (body, head) = (terms.replace_all(body, &mut replaced), terms.replace_all(head, &mut replaced));
    let clause = terms.implies(body, head);
    terms.forall(&bound, clause)
}

/// The functions to `Bool` that clauses apply.
fn predicates(terms: &Terms, system: &System) -> Vec<Arc<Function>> {
    let roots: Vec<TermId> =
        system.clauses.iter().flat_map(|clause| clause.body.iter().copied().chain(clause.head)).collect();
    let mut found: Vec<Arc<Function>> = Vec::new();
    terms.walk(&roots, |term| {
        if let Op::Apply(function) = terms.op(term)
            && function.result == Sort::Bool
            && !found.contains(function)
        {
            found.push(function.clone());
        }
    });
    found
}

/// `((define-fun p ((x Int)) Bool body) …)`, with or without `model` in front.
fn read_model(
    context: &Context,
    reply: SExpr,
    terms: &mut Terms,
    printer: &Printer,
    predicates: &[Arc<Function>],
) -> Option<Model> {
    let mut definitions = Vec::new();
    for item in context.get_list(reply)? {
        let Some([word, name, params, _, body]) = context.get_list(*item) else { continue };
        if context.get_atom(*word) != Some("define-fun") {
            continue;
        }
        let name = context.get_atom(*name)?;
        let Some(predicate) = predicates.iter().find(|p| printer.function_name(p) == Some(name)) else {
            continue;
        };
        let mut formulas = Formulas { context, terms, scope: Vec::new() };
        let params = formulas.declare(*params)?;
        let body = formulas.term(*body)?;
        definitions.push(Definition { predicate: predicate.clone(), params, body });
    }
    // A predicate that is not mentioned can be anything; nothing is the safe choice where it is only concluded from.
    let all_defined = predicates.iter().all(|p| definitions.iter().any(|d| d.predicate == *p));
    all_defined.then_some(Model { definitions })
}

impl Model {
    /// The term with the definitions put in for predicates.
    pub fn apply(&self, terms: &mut Terms, term: TermId) -> TermId {
        let mut applications = Vec::new();
        terms.walk(&[term], |t| {
            if let Op::Apply(function) = terms.op(t)
                && let Some(definition) = self.definitions.iter().find(|d| d.predicate == *function)
            {
                applications.push((t, definition.clone()));
            }
        });
        let mut replaced = FxHashMap::default();
        for (application, definition) in applications {
            let args = terms.args(application).to_vec();
            let mut values: FxHashMap<TermId, TermId> = definition.params.iter().copied().zip(args).collect();
            let value = terms.replace_all(definition.body, &mut values);
            replaced.insert(application, value);
        }
        terms.replace_all(term, &mut replaced)
    }
}

/// Whether every clause holds with the definitions put in, asked of processes that have seen nothing else. The name of the
/// first clause that does not, or is not decided, otherwise.
pub fn check(
    terms: &mut Terms,
    system: &System,
    model: &Model,
    options: &Options,
    stop: &AtomicBool,
) -> Result<(), String> {
    let mut goals = Vec::new();
    for clause in &system.clauses {
        let body = terms.and_all(clause.body.iter().copied());
        let head = clause.head.unwrap_or_else(|| terms.bool(false));
        let not_head = terms.not(head);
        let violated = terms.and(body, not_head);
        let claim = model.apply(terms, violated);
        goals.push(Goal { name: clause.name.clone(), claim, wanted: Vec::new() });
    }
    let options = Options { fresh: true, ..options.clone() };
    let verdicts = refute_all(terms, &[], &goals, &options, stop);
    match verdicts.iter().zip(&goals).find(|(verdict, _)| verdict.outcome != Outcome::Unsat) {
        None => Ok(()),
        Some((_, goal)) => Err(goal.name.clone()),
    }
}
