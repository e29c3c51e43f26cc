//! What the printed script calls things.

use crate::term::{Function, Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct Names {
    terms: FxHashMap<TermId, Arc<str>>,
    functions: FxHashMap<Arc<Function>, Arc<str>>,
    used: FxHashSet<Arc<str>>,
    /// What was added, so that it can be taken back.
    history: Vec<Added>,
    levels: Vec<usize>,
}

#[derive(Debug)]
enum Added {
    Term(TermId),
    Function(Arc<Function>),
    Used(Arc<str>),
}

/// The name of an array with an axiom: a constant, or a function applied to the variables that are free in it.
pub(super) struct Applied {
    pub(super) head: String,
    pub(super) applied: Arc<str>,
}

impl Names {
    pub(super) fn push(&mut self) {
        self.levels.push(self.history.len());
    }

    pub(super) fn pop(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        for added in self.history.drain(level..) {
            match added {
                Added::Term(term) => drop(self.terms.remove(&term)),
                Added::Function(function) => drop(self.functions.remove(&function)),
                Added::Used(name) => drop(self.used.remove(&name)),
            }
        }
    }

    pub(super) fn get(&self, term: TermId) -> Option<&Arc<str>> {
        self.terms.get(&term)
    }

    pub(super) fn function(&self, function: &Arc<Function>) -> Option<&Arc<str>> {
        self.functions.get(function)
    }

    /// A name for a constant or bound variable, as close to its own as can be.
    pub(super) fn declare(&mut self, term: TermId, wanted: &str) -> Arc<str> {
        let name = self.unused(wanted);
        self.insert(term, name.clone());
        name
    }

    pub(super) fn declare_function(&mut self, function: &Arc<Function>) -> Arc<str> {
        let name = self.unused(&function.name);
        self.functions.insert(function.clone(), name.clone());
        self.history.push(Added::Function(function.clone()));
        name
    }

    pub(super) fn define(&mut self, term: TermId) -> Arc<str> {
        let name: Arc<str> = generated(term).into();
        self.insert(term, name.clone());
        name
    }

    pub(super) fn define_applied(&mut self, terms: &Terms, array: TermId) -> Applied {
        let head = generated(array);
        let args: Vec<&str> = terms.free_variables(array).iter().map(|var| &*self.terms[var]).collect();
        let applied: Arc<str> = if args.is_empty() {
            head.as_str().into()
        } else {
            format!("({head} {})", args.join(" ")).into()
        };
        self.insert(array, applied.clone());
        Applied { head, applied }
    }

    fn insert(&mut self, term: TermId, name: Arc<str>) {
        self.terms.insert(term, name);
        self.history.push(Added::Term(term));
    }

    fn unused(&mut self, wanted: &str) -> Arc<str> {
        let plain = safe_name(wanted);
        let mut name: Arc<str> = quoted(&plain).into();
        let mut copy = 1;
        while self.used.contains(&name) {
            copy += 1;
            name = quoted(&format!("{plain}!{copy}")).into();
        }
        self.used.insert(name.clone());
        self.history.push(Added::Used(name.clone()));
        name
    }
}

/// The name of a defined or `let`-bound term; no declared name begins like this.
pub(super) fn generated(term: TermId) -> String {
    format!("?{}", term.0)
}

/// A name that is no word of any solver: those have no `!` in them, and quotes would not make a difference.
fn safe_name(wanted: &str) -> String {
    let mut name: String =
        wanted.chars().map(|c| if c.is_ascii_graphic() && c != '|' && c != '\\' { c } else { '_' }).collect();
    if !name.contains('!') {
        name.push('!');
    }
    // `!` alone is a reserved word, and a question mark in front is ours.
    if name == "!" || name.starts_with('?') {
        name.insert(0, '_');
    }
    name
}

fn quoted(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let reserved = |c: char| c.is_ascii_digit() || c == '.' || c == '@';
    if name.chars().all(simple) && !name.starts_with(reserved) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

/// The word of an operation that is written as `(word arguments…)`.
pub(super) fn word(op: &Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Ite => "ite",
        Op::Eq => "=",
        Op::Add => "+",
        Op::Mul => "*",
        Op::Neg => "-",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::BvAdd => "bvadd",
        Op::BvMul => "bvmul",
        Op::BvNeg => "bvneg",
        Op::BvUdiv => "bvudiv",
        Op::BvSdiv => "bvsdiv",
        Op::BvUrem => "bvurem",
        Op::BvSrem => "bvsrem",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvNot => "bvnot",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::Lambda => "lambda",
        Op::Forall => "forall",
        Op::Exists => "exists",
        Op::Bool(_)
        | Op::Int(_)
        | Op::BitVec(..)
        | Op::Symbol(_)
        | Op::Bound(_)
        | Op::Apply(_)
        | Op::Extract(..)
        | Op::ZeroExtend(_)
        | Op::SignExtend(_)
        | Op::IntToBv(_)
        | Op::BvToInt
        | Op::ConstArray => unreachable!("written in its own way"),
    }
}
