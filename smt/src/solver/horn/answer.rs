//! What a Horn solver has printed, read back.

use super::formula::{Formulas, Helper};
use super::script::Script;
use super::sexpr::{Sexpr, read_all};
use super::{Definition, Model, Solution};
use crate::solver::Reason;
use crate::solver::batch::Output;
use crate::term::{Sort, Terms};

/// Formulas are read recursively, and nested as deep as the reader of S-expressions lets through.
const STACK_BYTES: usize = 256 << 20;

/// The first word is the answer, if nothing was refused before it; after `sat` come the definitions.
pub(super) fn read(terms: &mut Terms, script: &Script, output: &Output) -> Solution {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || read_here(terms, script, output));
        match thread.map(|thread| thread.join()) {
            Ok(Ok(solution)) => solution,
            Ok(Err(_)) | Err(_) => unreadable(),
        }
    })
}

/// Whether the solver says that it knows.
pub(super) fn is_decisive(output: &Output) -> bool {
    matches!(first_word(output), "sat" | "unsat")
}

fn first_word(output: &Output) -> &str {
    output.text.split_whitespace().next().unwrap_or("")
}

fn unreadable() -> Solution {
    Solution::Unknown(Reason::GaveUp("the invariants cannot be read".into()))
}

fn read_here(terms: &mut Terms, script: &Script, output: &Output) -> Solution {
    match first_word(output) {
        "unsat" => Solution::Unsafe,
        "sat" => match model(terms, script, &output.text) {
            Some(model) => Solution::Safe(model),
            None => unreadable(),
        },
        _ => Solution::Unknown(output.why_no_answer()),
    }
}

/// `sat ((define-fun p ((x Int)) Bool body) …)`; some write `model` in front, some no parentheses around all.
fn model(terms: &mut Terms, script: &Script, text: &str) -> Option<Model> {
    let read = read_all(text)?;
    let mut found = Vec::new();
    for item in &read {
        if item.starts_with("define-fun") {
            found.push(helper(item)?);
        } else if let Sexpr::List(items) = item {
            let definitions = items.iter().filter(|item| item.starts_with("define-fun"));
            found.extend(definitions.map(helper).collect::<Option<Vec<_>>>()?);
        }
    }
    let mut definitions = Vec::new();
    for (name, predicate) in &script.predicates {
        let mut named = found.iter().filter(|helper| helper.name == name);
        let (Some(helper), None) = (named.next(), named.next()) else { return None };
        let (params, body) = Formulas::new(terms, &found).definition(helper)?;
        let fits = params.iter().map(|param| terms.sort(*param)).eq(predicate.params.iter());
        if !fits || *terms.sort(body) != Sort::Bool {
            return None;
        }
        definitions.push(Definition { predicate: predicate.clone(), params, body });
    }
    Some(Model { definitions })
}

fn helper<'s>(item: &'s Sexpr<'s>) -> Option<Helper<'s>> {
    let [_, name, params, sort, body] = item.list()? else { return None };
    Some(Helper { name: name.atom()?, params, sort, body })
}
