//! What to ask a model for, and how to say it in Solidity's notation.

use crate::exec::Executor;
use crate::goals::Goal;
use crate::report::{Binding, Counterexample};
use crate::targets::{Target, TargetKind};
use hornet_ir::ids::TypeId;
use hornet_ir::program::Program;
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, TermId, Value};
use hornet_symbolic::Var;
use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Group {
    Parameter,
    Before,
    After,
    Local,
    Environment,
}

/// A name in the source, and the term whose value it has.
struct Question {
    group: Group,
    name: Name,
    /// How to write the value.
    format: Format,
    term: TermId,
}

enum Name {
    Plain(String),
    /// `base[key]suffix`, where the key is a term itself.
    Indexed {
        base: String,
        key: TermId,
        format: Format,
        suffix: String,
    },
}

#[derive(Clone, Debug)]
enum Format {
    Bool,
    Number { signed: bool, bits: u32 },
    Address,
    Enum { name: String, members: Vec<String> },
    Bytes(u8),
}

pub struct Questions {
    questions: Vec<Question>,
    causes: Vec<(TermId, Span)>,
}

impl Questions {
    pub fn wanted(&self) -> Vec<TermId> {
        let mut wanted = Vec::new();
        for question in &self.questions {
            wanted.push(question.term);
            if let Name::Indexed { key, .. } = &question.name {
                wanted.push(*key);
            }
        }
        wanted.extend(self.causes.iter().map(|(term, _)| *term));
        wanted
    }

    /// The values in the order of [`Questions::wanted`], told as a counterexample; and the causes that apply.
    pub fn answer(&self, values: &[Value]) -> (Counterexample, Vec<Span>) {
        let mut values = values.iter();
        let mut told = Counterexample::default();
        let mut before: FxHashMap<String, String> = FxHashMap::default();
        for question in &self.questions {
            let Some(value) = values.next().and_then(|v| question.format.show(v)) else {
                if matches!(question.name, Name::Indexed { .. }) {
                    values.next();
                }
                continue;
            };
            let name = match &question.name {
                Name::Plain(name) => name.clone(),
                Name::Indexed { base, format, suffix, .. } => {
                    match values.next().and_then(|k| format.show(k)) {
                        Some(key) => format!("{base}[{key}]{suffix}"),
                        None => continue,
                    }
                }
            };
            let binding = Binding { name, value };
            let list = match question.group {
                Group::Parameter => &mut told.parameters,
                Group::Before => {
                    before.insert(binding.name.clone(), binding.value.clone());
                    &mut told.state_before
                }
                Group::After if before.get(&binding.name) == Some(&binding.value) => continue,
                Group::After => &mut told.state_after,
                Group::Local => &mut told.locals,
                Group::Environment => &mut told.environment,
            };
            if !list.contains(&binding) {
                list.push(binding);
            }
        }
        let causes = self.causes.iter().zip(values).filter(|(_, v)| **v == Value::Bool(true));
        (told, causes.map(|((_, span), _)| *span).collect())
    }
}

impl Format {
    fn of(program: &Program, ty: TypeId) -> Option<Format> {
        Some(match program.types.get(ty) {
            Type::Bool => Format::Bool,
            Type::Int { bits, signed } => Format::Number { signed: *signed, bits: u32::from(*bits) },
            Type::Address => Format::Address,
            Type::Enum(id) => {
                let decl = &program.types.enums[*id];
                Format::Enum { name: decl.name.clone(), members: decl.members.clone() }
            }
            Type::FixedBytes(n) => Format::Bytes(*n),
            Type::FnInternal
            | Type::FnExternal
            | Type::Bytes
            | Type::Array { .. }
            | Type::Struct(_)
            | Type::Mapping { .. }
            | Type::StorageRef(_)
            | Type::MemoryRef(_)
            | Type::CalldataRef(_) => return None,
        })
    }

    fn show(&self, value: &Value) -> Option<String> {
        if let Value::Bool(b) = value {
            return Some(b.to_string());
        }
        let number = self.number(value)?;
        Some(match self {
            Format::Bool => (number != BigInt::from(0)).to_string(),
            Format::Number { signed, bits } => show_number(&number, *signed, *bits),
            Format::Address if number.is_negative() => number.to_string(),
            Format::Address => format!("0x{number:02x}"),
            Format::Enum { name, members } => {
                let member = usize::try_from(&number).ok().and_then(|i| members.get(i));
                match member {
                    Some(member) => format!("{name}.{member}"),
                    None => number.to_string(),
                }
            }
            Format::Bytes(n) => format!("0x{:0width$x}", number, width = 2 * usize::from(*n)),
        })
    }

    fn number(&self, value: &Value) -> Option<BigInt> {
        match value {
            Value::Int(n) => Some(n.clone()),
            Value::BitVec(n, width) => {
                let number = BigInt::from(n.clone());
                let half = BigInt::from(1) << (width - 1);
                let signed = matches!(self, Format::Number { signed: true, .. });
                Some(if signed && number >= half { number - (half << 1) } else { number })
            }
            Value::Bool(_) | Value::Array(_) | Value::Opaque(_) => None,
        }
    }
}

/// Numbers near the ends of their type are easier to read from there.
fn show_number(number: &BigInt, signed: bool, bits: u32) -> String {
    let type_name = format!("{}int{bits}", if signed { "" } else { "u" });
    let limit = BigInt::from(1) << if signed { bits - 1 } else { bits };
    let max: BigInt = &limit - 1;
    let from_max = &max - number;
    let near = BigInt::from(1_000_000);
    if bits > 32 && !from_max.is_negative() && from_max <= near {
        return if from_max == BigInt::from(0) {
            format!("type({type_name}).max")
        } else {
            format!("type({type_name}).max - {from_max}")
        };
    }
    let from_min = number + &limit;
    if signed && bits > 32 && !from_min.is_negative() && from_min <= near {
        return if from_min == BigInt::from(0) {
            format!("type({type_name}).min")
        } else {
            format!("type({type_name}).min + {from_min}")
        };
    }
    number.to_string()
}

/// Everything worth knowing about how a goal fails. Goals with several claims are told by the first.
pub fn questions(ex: &mut Executor<'_>, target: &Target, goal: &Goal) -> Questions {
    let mut list = Vec::new();
    let Some(claim) = goal.claims.first().cloned() else {
        return Questions { questions: list, causes: Vec::new() };
    };
    let program = ex.program;
    if let TargetKind::Function { body, .. } = target.kind {
        let proc = &program.procs[body];
        let entry = ex.entry.clone();
        for param in &proc.params {
            let local = &proc.locals[*param];
            let vars: Vec<Var> = entry
                .touched()
                .filter(|v| matches!(v, Var::Local(_, l, t) if l == param && *t == local.ty))
                .collect();
            if let (Some(var), Some(format)) = (vars.first(), Format::of(program, local.ty))
                && let Ok(value) = ex.cx.get(&entry, *var)
            {
                let name = Name::Plain(local.name.clone());
                list.push(Question { group: Group::Parameter, name, format, term: value[0] });
            }
        }
    }
    let entry = ex.entry.clone();
    for (group, state) in [(Group::Before, &entry), (Group::After, &*claim.state)] {
        for var in &program.contracts[ex.contract].state {
            let decl = &program.state[*var];
            if let Some(format) = Format::of(program, decl.ty)
                && let Ok(value) = ex.cx.get(state, Var::State(*var))
            {
                let name = Name::Plain(decl.name.clone());
                list.push(Question { group, name, format, term: value[0] });
            }
        }
    }
    element_questions(ex, &claim.term, &mut list);
    local_questions(ex, target, goal, &mut list);
    environment_questions(ex, claim.term, &mut list);
    Questions { questions: list, causes: claim.causes.to_vec() }
}

/// Elements of mappings and arrays that the claim reads.
fn element_questions(ex: &mut Executor<'_>, claim: &TermId, list: &mut Vec<Question>) {
    let program = ex.program;
    let entry = ex.entry.clone();
    let mut tables: FxHashMap<TermId, (String, Format, Format, String)> = FxHashMap::default();
    for var in &program.contracts[ex.contract].state {
        let decl = &program.state[*var];
        let (key, value) = match program.types.get(decl.ty) {
            Type::Mapping { key, value } => (*key, *value),
            _ => continue,
        };
        let Ok(tree) = ex.cx.get(&entry, Var::State(*var)) else { continue };
        let Some(key_format) = Format::of(program, key) else { continue };
        match program.types.get(value) {
            Type::Struct(id) => {
                let fields = &program.types.structs[*id].fields;
                if fields.iter().all(|f| program.types.get(f.ty).is_scalar()) {
                    for (field, leaf) in fields.iter().zip(tree.iter()) {
                        if let Some(format) = Format::of(program, field.ty) {
                            let suffix = format!(".{}", field.name);
                            tables.insert(*leaf, (decl.name.clone(), key_format.clone(), format, suffix));
                        }
                    }
                }
            }
            _ => {
                if let Some(format) = Format::of(program, value) {
                    tables.insert(tree[0], (decl.name.clone(), key_format, format, String::new()));
                }
            }
        }
    }
    let mut reads = Vec::new();
    let terms = &ex.cx.terms;
    terms.walk(&[*claim], |term| {
        if let (Op::Select, &[array, key]) = (terms.op(term), terms.args(term))
            && tables.contains_key(&array)
        {
            reads.push((array, key, term));
        }
    });
    reads.retain(|(_, key, _)| {
        let mut bound = false;
        terms.walk(&[*key], |t| bound |= matches!(terms.op(t), Op::Bound(_)));
        !bound
    });
    for (array, key, term) in reads {
        let (base, key_format, format, suffix) = tables[&array].clone();
        let name = Name::Indexed { base, key, format: key_format, suffix };
        list.push(Question { group: Group::Before, name, format, term });
    }
}

/// Named locals of the function, where the failing place is in its own frame.
fn local_questions(ex: &mut Executor<'_>, target: &Target, goal: &Goal, list: &mut Vec<Question>) {
    let TargetKind::Function { body, .. } = target.kind else { return };
    let Some(claim) = goal.claims.first() else { return };
    let proc = &ex.program.procs[body];
    for (id, local) in proc.locals.iter_ids() {
        if local.name.is_empty() || proc.params.contains(&id) {
            continue;
        }
        let var = Var::Local(claim.frame, id, local.ty);
        if !claim.state.touched().any(|v| v == var) {
            continue;
        }
        if let Some(format) = Format::of(ex.program, local.ty)
            && let Ok(value) = ex.cx.get(&claim.state, var)
        {
            let name = Name::Plain(local.name.clone());
            list.push(Question { group: Group::Local, name, format, term: value[0] });
        }
    }
}

/// What the claim uses of the transaction and the block.
fn environment_questions(ex: &Executor<'_>, claim: TermId, list: &mut Vec<Question>) {
    const NUMBERS: &[&str] = &["msg.value", "block.timestamp", "block.number"];
    const ADDRESSES: &[&str] = &["msg.sender", "tx.origin", "this"];
    ex.cx.terms.walk(&[claim], |term| {
        let Op::Symbol(name) = ex.cx.terms.op(term) else { return };
        let format = if NUMBERS.contains(&&**name) {
            Format::Number { signed: false, bits: 256 }
        } else if ADDRESSES.contains(&&**name) {
            Format::Address
        } else {
            return;
        };
        list.push(Question { group: Group::Environment, name: Name::Plain(name.to_string()), format, term });
    });
}
