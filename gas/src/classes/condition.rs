//! The condition of a case, in Solidity.

use hornet_ir::expr::EnvVar;
use hornet_ir::ids::ProcId;
use hornet_smt::term::{Op, TermId, Terms};
use hornet_symbolic::Var;
use hornet_symbolic::exec::{Executor, Format, Name, Pattern, Step, Writer, leaf_names};
use rustc_hash::{FxHashMap, FxHashSet};

use super::account::Payment;
use super::cases::{decided, learn};
use super::interval::tightened;

/// What the symbols of a call are called in the source.
pub(super) fn names(
    ex: &mut Executor<'_>,
    code: ProcId,
    step: &Step,
    payments: &[Payment],
) -> FxHashMap<TermId, Name> {
    let program = ex.program;
    let mut names = FxHashMap::default();
    let mut add = |ty, name: &str, leaves: &[TermId]| {
        let of_leaves = leaf_names(program, ty, &Pattern::plain(name));
        for (leaf, name) in leaves.iter().zip(of_leaves) {
            if let Some((pattern, format)) = name {
                names.insert(*leaf, Name { pattern, format });
            }
        }
    };
    let body = &program.procs[program.body_of(code).unwrap_or(code)];
    for (at, (ty, value)) in step.ways.iter().flat_map(|way| &way.args).enumerate() {
        let name = body.params.get(at).map_or("", |param| body.locals[*param].name.as_str());
        if !name.is_empty() {
            add(*ty, name, value);
        }
    }
    for var in &program.contracts[ex.contract].state {
        if let Ok(value) = ex.cx.initial(Var::State(*var)) {
            add(program.state[*var].ty, &program.state[*var].name, &value);
        }
    }
    let this = ex.this();
    let number = Format::Number { signed: false, bits: 256 };
    let mut plain = |term: TermId, text: &str, format: Format| {
        names.insert(term, Name { pattern: Pattern::plain(text), format });
    };
    plain(this, "address(this)", Format::Address);
    plain(step.origin, "tx.origin", Format::Address);
    plain(step.caller, "msg.sender", Format::Address);
    plain(step.value, "msg.value", number.clone());
    for (var, term) in &step.environment {
        match var {
            EnvVar::Timestamp => plain(*term, "block.timestamp", number.clone()),
            EnvVar::Number => plain(*term, "block.number", number.clone()),
            EnvVar::Origin => plain(*term, "tx.origin", Format::Address),
            EnvVar::Coinbase => plain(*term, "block.coinbase", Format::Address),
            _ => {}
        }
    }
    for (at, payment) in payments.iter().enumerate() {
        // Of those who are paid again, it is only the first time that they are new.
        let again = payments[..at].iter().any(|earlier| earlier.target == payment.target);
        let writer = Writer::new(&ex.cx.terms, names.clone());
        if !again && let Some(account) = writer.condition(payment.target) {
            // The hash of no code is not zero; that of no account is.
            let pattern = Pattern::plain(&format!("({account}.codehash == 0)"));
            names.insert(payment.is_new, Name { pattern, format: Format::Bool });
        }
    }
    names
}

/// Conditions that all hold, without what is expected or follows from the others. What has no notation is `…`.
pub(super) fn told(
    terms: &mut Terms,
    names: &FxHashMap<TermId, Name>,
    conditions: &[TermId],
    expected: &[TermId],
) -> String {
    let mut left: Vec<TermId> = conditions.to_vec();
    left.dedup();
    for at in 0..left.len() {
        let mut known: FxHashSet<TermId> = expected.iter().copied().collect();
        for other in (0..left.len()).filter(|other| *other != at) {
            learn(terms, &mut known, left[other]);
        }
        let news = simplified(terms, &known, left[at]);
        // What is not as expected is said.
        left[at] = if terms.as_bool(news) == Some(false) { left[at] } else { news };
    }
    let mut texts: Vec<String> = Vec::new();
    for condition in left {
        let parts = match terms.op(condition) {
            Op::Bool(_) => continue,
            Op::And => terms.args(condition).to_vec(),
            _ => vec![condition],
        };
        for part in parts {
            let writer = Writer::new(terms, names.clone());
            let text = writer.condition(part).unwrap_or_else(|| "…".to_owned());
            let text = if *terms.op(part) == Op::Or { format!("({text})") } else { turned(text) };
            // What mentions nothing is so anyway.
            let says_something = text == "…" || text.contains(char::is_alphabetic);
            if says_something && !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    let texts = tightened(texts);
    if texts.is_empty() { "true".to_owned() } else { texts.join(" && ") }
}

/// What varies comes first.
fn turned(text: String) -> String {
    for (sign, mirrored) in [(" == ", " == "), (" != ", " != "), (" <= ", " >= "), (" < ", " > ")] {
        if let Some((left, right)) = text.split_once(sign)
            && (left.starts_with(|c: char| c.is_ascii_digit())
                || left.starts_with("type(")
                || left.starts_with("address(0"))
        {
            return format!("{right}{mirrored}{left}");
        }
    }
    text
}

/// A condition where others are known to hold.
fn simplified(terms: &mut Terms, known: &FxHashSet<TermId>, cond: TermId) -> TermId {
    if let Some(value) = decided(terms, known, cond) {
        return terms.bool(value);
    }
    let parts = terms.args(cond).to_vec();
    match terms.op(cond) {
        Op::Not => {
            let inner = simplified(terms, known, parts[0]);
            terms.not(inner)
        }
        Op::And => {
            let parts: Vec<TermId> = parts.into_iter().map(|part| simplified(terms, known, part)).collect();
            terms.and_all(parts)
        }
        Op::Or => {
            let parts: Vec<TermId> = parts.into_iter().map(|part| simplified(terms, known, part)).collect();
            terms.or_all(parts)
        }
        _ => cond,
    }
}
