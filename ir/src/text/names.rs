//! Unique, re-readable names for everything that the text form refers to by name.

use super::words::is_reserved;
use crate::ids::{BoundId, ContractId, EnumId, EventId, Id, IdVec, LocalId, ProcId, StateVarId, StructId};
use crate::program::{Proc, Program};
use rustc_hash::FxHashMap;

/// A name as the parser reads it back: bare if it is an identifier, else in backticks.
pub(crate) fn quoted(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { backticks(name) }
}

/// As [`quoted`] for names that stand where keywords and primitive types could.
pub(crate) fn quoted_unreserved(name: &str) -> String {
    if is_identifier(name) && !is_reserved(name) { name.to_owned() } else { backticks(name) }
}

/// A name that may be qualified (`C.S`).
pub(crate) fn quoted_dotted(name: &str) -> String {
    let mut parts = name.split('.');
    let first_ok = parts.next().is_some_and(|p| is_identifier(p) && !is_reserved(p));
    if first_ok && parts.all(is_identifier) { name.to_owned() } else { backticks(name) }
}

fn is_identifier(name: &str) -> bool {
    let start = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(start) && name.chars().all(|c| start(c) || c.is_ascii_digit() || c == '$')
}

fn backticks(name: &str) -> String {
    let mut out = String::from("`");
    escape_into(&mut out, name, '`');
    out.push('`');
    out
}

/// Writes text so that it stays on one line and ends at the delimiter.
pub(crate) fn escape_into(out: &mut String, text: &str, delimiter: char) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == delimiter => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
}

pub(crate) fn string_literal(text: &str) -> String {
    let mut out = String::from("\"");
    escape_into(&mut out, text, '"');
    out.push('"');
    out
}

/// Hands out `x`, `x#2`, `x#3` …
#[derive(Default)]
struct Counter(FxHashMap<String, u32>);

impl Counter {
    fn label(&mut self, name: String) -> String {
        let count = self.0.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name}#{count}") }
    }
}

/// The labels of one program. Procedures and state variables are unique within their contract.
pub(crate) struct Labels {
    pub structs: IdVec<StructId, String>,
    pub enums: IdVec<EnumId, String>,
    pub contracts: IdVec<ContractId, String>,
    pub events: IdVec<EventId, String>,
    pub procs: IdVec<ProcId, String>,
    pub state: IdVec<StateVarId, String>,
    /// With their sign.
    pub bound: IdVec<BoundId, String>,
}

impl Labels {
    pub fn new(program: &Program) -> Labels {
        let mut types = Counter::default();
        let structs = program.types.structs.iter().map(|s| types.label(quoted_dotted(&s.name))).collect();
        let enums = program.types.enums.iter().map(|e| types.label(quoted_dotted(&e.name))).collect();
        let mut counter = Counter::default();
        let contracts = program.contracts.iter().map(|c| counter.label(quoted(&c.name))).collect();
        let mut counter = Counter::default();
        let events = program.events.iter().map(|e| counter.label(quoted_dotted(&e.name))).collect();
        let mut scopes: FxHashMap<Option<ContractId>, Counter> = FxHashMap::default();
        let procs = program
            .procs
            .iter()
            .map(|p| scopes.entry(p.contract).or_default().label(quoted_dotted(&p.name)))
            .collect();
        let mut scopes: FxHashMap<ContractId, Counter> = FxHashMap::default();
        // In the order in which contracts list them, which is the order of the text.
        let mut state: IdVec<StateVarId, String> =
            program.state.iter().map(|v| quoted_unreserved(&v.name)).collect();
        for contract in program.contracts.iter() {
            for var in &contract.state {
                if let Some(v) = program.state.get(*var) {
                    state[*var] = scopes.entry(v.contract).or_default().label(quoted_unreserved(&v.name));
                }
            }
        }
        let mut counter = Counter::default();
        let bound = program.bound_vars.iter_ids().map(|(id, var)| match var.name.as_str() {
            "" => format!("?{}", id.0),
            name => format!("?{}", counter.label(quoted(name))),
        });
        let bound = bound.collect();
        Labels { structs, enums, contracts, events, procs, state, bound }
    }
}

/// Parameters first, then the other locals: the order of the text, and of ids after reading it back.
pub(crate) fn local_order(proc: &Proc) -> Vec<LocalId> {
    let mut seen = vec![false; proc.locals.len()];
    let mut order = Vec::with_capacity(proc.locals.len());
    for id in proc.params.iter().copied().chain(proc.locals.ids()) {
        if let Some(seen) = seen.get_mut(id.index())
            && !std::mem::replace(seen, true)
        {
            order.push(id);
        }
    }
    order
}

/// `%name`, or `%` and a number for temporaries.
pub(crate) fn local_labels(proc: &Proc) -> IdVec<LocalId, String> {
    let mut labels: IdVec<LocalId, String> = proc.locals.iter().map(|_| String::new()).collect();
    let mut counter = Counter::default();
    for (position, id) in local_order(proc).into_iter().enumerate() {
        let name = &proc.locals[id].name;
        labels[id] = if name.is_empty() {
            format!("%{position}")
        } else {
            format!("%{}", counter.label(quoted(name)))
        };
    }
    labels
}
