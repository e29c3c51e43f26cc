//! Why a proof holds, in the words of the source.

use crate::prove::Invariant;
use hornet_smt::solver::horn::{Definition, Model};
use hornet_symbolic::Var;
use hornet_symbolic::exec::{Executor, Name, Pattern, Place, Unknown, Writer, name_of};
use rustc_hash::FxHashMap;

/// What the predicates of a model say. Those that say nothing are left out.
pub fn invariants(ex: &Executor<'_>, model: &Model) -> Vec<Invariant> {
    let unknowns = ex.unknowns.unknowns.iter();
    let defined = unknowns.filter_map(|unknown| Some((unknown, model.get(&unknown.function)?)));
    defined.filter_map(|(unknown, definition)| invariant(ex, unknown, definition)).collect()
}

fn invariant(ex: &Executor<'_>, unknown: &Unknown, definition: &Definition) -> Option<Invariant> {
    if ex.cx.terms.as_bool(definition.body).is_some() {
        return None;
    }
    let names: FxHashMap<_, _> = definition
        .params
        .iter()
        .zip(&unknown.slots)
        .enumerate()
        .filter_map(|(i, (param, slot))| {
            let name = name_of(ex.program, *slot, &|var| local_name(ex, var))?;
            Some((*param, if i < unknown.earlier { earlier(name) } else { name }))
        })
        .collect();
    let writer = Writer::of_annotations(&ex.cx.terms, names);
    let text = writer.condition(definition.body);
    Some(Invariant { place: unknown.place, text, exact: writer.is_exact() })
}

fn local_name(ex: &Executor<'_>, var: Var) -> Option<String> {
    let Var::Local(frame, local, _) = var else { return None };
    let proc = *ex.procs_of_frames.get(&frame)?;
    let name = &ex.program.procs[proc].locals.get(local)?.name;
    (!name.is_empty()).then(|| name.clone())
}

/// How it was when the predicate's time began.
fn earlier(name: Name) -> Name {
    match name.pattern.indices() {
        [] => Name { pattern: Pattern::plain(&format!("old({})", name.pattern.with(&[]))), ..name },
        _ => name,
    }
}

impl Invariant {
    /// When it holds, in words.
    pub fn when(&self) -> &'static str {
        match self.place {
            Place::Outside => "whenever others have control",
            Place::Watched => "whenever others are asked",
            Place::Meanwhile => "while others have control",
            Place::Called(_) => "when the function is called by itself",
            Place::Returned(_) => "when the function returns to itself",
            Place::Loop { .. } => "at the head of the loop",
        }
    }
}
