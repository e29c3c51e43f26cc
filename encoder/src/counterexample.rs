//! What to ask a model for, so that it can be told in Solidity's notation.

use crate::report::{Binding, Counterexample};
use hornet_ir::expr::EnvVar;
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, TermId, Value};
use hornet_symbolic::exec::{Claim, Executor, Format, Goal, Pattern, Target, TargetKind, leaf_names};
use hornet_symbolic::{State, Tree, Var};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Group {
    Parameter,
    Before,
    After,
    Local,
    Environment,
}

/// A name in the source, and the term whose value it has. Indices in the name are terms themselves.
struct Question {
    group: Group,
    name: Pattern,
    indices: Vec<TermId>,
    /// How to write the value.
    format: Format,
    term: TermId,
}

#[derive(Default)]
pub struct Questions {
    questions: Vec<Question>,
    causes: Vec<(TermId, Span)>,
}

impl Questions {
    pub fn wanted(&self) -> Vec<TermId> {
        let terms = self.questions.iter().flat_map(|q| q.indices.iter().copied().chain([q.term]));
        terms.chain(self.causes.iter().map(|(term, _)| *term)).collect()
    }

    /// The values in the order of [`Questions::wanted`], told as a counterexample; and the causes that apply.
    pub fn answer(&self, values: &[Value]) -> (Counterexample, Vec<Span>) {
        let mut values = values.iter();
        let mut told = Counterexample::default();
        let mut before: FxHashMap<String, String> = FxHashMap::default();
        for question in &self.questions {
            let Some(binding) = question.binding(&mut values) else { continue };
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

impl Question {
    /// Takes its values; `None` if one of them cannot be written.
    fn binding<'v>(&self, values: &mut impl Iterator<Item = &'v Value>) -> Option<Binding> {
        let formats = self.name.indices().iter().map(Some).chain(std::iter::repeat(None));
        let indices: Vec<Option<String>> = formats
            .take(self.indices.len())
            .map(|format| values.next().and_then(|value| format?.show(value)))
            .collect();
        let value = values.next().and_then(|value| self.format.show(value))?;
        let indices = indices.into_iter().collect::<Option<Vec<String>>>()?;
        Some(Binding { name: self.name.with(&indices), value })
    }
}

/// Named leaves with indices, by the term that is indexed.
type Tables = FxHashMap<TermId, (Group, Pattern, Format)>;

/// Everything worth knowing about how a goal fails. Goals with several claims are told by the first.
pub fn questions(ex: &mut Executor<'_>, target: &Target, goal: &Goal) -> Questions {
    let Some(claim) = goal.claims.first() else { return Questions::default() };
    let mut list = Vec::new();
    let mut tables = Tables::default();
    let entry = ex.entry.clone();
    parameters(ex, target, &entry, &mut list, &mut tables);
    for (group, state) in [(Group::Before, &entry), (Group::After, &*claim.state)] {
        for var in &ex.program.contracts[ex.contract].state {
            let decl = &ex.program.state[*var];
            let names = leaf_names(ex.program, decl.ty, &Pattern::plain(&decl.name));
            if let Ok(value) = ex.cx.get(state, Var::State(*var)) {
                add_leaves(group, names, &value, &mut list, &mut tables);
            }
        }
    }
    add_elements(ex, claim, &tables, &mut list);
    locals(ex, target, claim, &mut list);
    environment(ex, claim.term, &mut list);
    Questions { questions: list, causes: claim.causes.to_vec() }
}

/// Leaves without indices are asked for; the others remembered, to be asked for where they are read.
fn add_leaves(
    group: Group,
    names: Vec<Option<(Pattern, Format)>>,
    value: &Tree,
    list: &mut Vec<Question>,
    tables: &mut Tables,
) {
    for (name, term) in names.into_iter().zip(value.iter()) {
        let Some((name, format)) = name else { continue };
        if name.indices().is_empty() {
            list.push(Question { group, name, indices: Vec::new(), format, term: *term });
        } else {
            tables.entry(*term).or_insert((group, name, format));
        }
    }
}

/// Arguments: scalars, calldata, and one level of what is in memory.
fn parameters(
    ex: &mut Executor<'_>,
    target: &Target,
    entry: &State,
    list: &mut Vec<Question>,
    tables: &mut Tables,
) {
    let TargetKind::Function { body, .. } = target.kind else { return };
    let program = ex.program;
    let proc = &program.procs[body];
    for param in &proc.params {
        let local = &proc.locals[*param];
        let is_param = |v: &Var| matches!(v, Var::Local(_, l, t) if l == param && *t == local.ty);
        let Some(var) = entry.touched().find(is_param) else { continue };
        let Ok(value) = ex.cx.get(entry, var) else { continue };
        let name = Pattern::plain(&local.name);
        let (ty, value) = match program.types.get(local.ty) {
            Type::MemoryRef(tree) => match ex.cx.contents(entry, local.ty, &value) {
                Ok((_, contents)) => (*tree, contents),
                Err(_) => continue,
            },
            _ => (local.ty, value),
        };
        add_leaves(Group::Parameter, leaf_names(program, ty, &name), &value, list, tables);
    }
}

/// Elements of mappings and arrays that the claim reads, before and after.
fn add_elements(ex: &mut Executor<'_>, claim: &Claim, tables: &Tables, list: &mut Vec<Question>) {
    let mut found: Vec<(TermId, Vec<TermId>, TermId)> = Vec::new();
    let terms = &ex.cx.terms;
    terms.walk(&[claim.term], |term| {
        if *terms.op(term) != Op::Select || !terms.is_closed(term) {
            return;
        }
        let (mut base, mut indices) = (term, Vec::new());
        while let (Op::Select, &[array, index]) = (terms.op(base), terms.args(base)) {
            indices.insert(0, index);
            base = array;
        }
        if tables.get(&base).is_some_and(|(_, name, _)| name.indices().len() == indices.len()) {
            found.push((base, indices, term));
        }
    });
    let after: Vec<(TermId, &(Group, Pattern, Format))> =
        tables.iter().filter(|(_, (group, ..))| *group == Group::After).map(|(t, n)| (*t, n)).collect();
    let mut asked = FxHashSet::default();
    for (base, indices, term) in found {
        let (group, name, format) = &tables[&base];
        list.push(question(*group, name, &indices, format, term));
        for (leaf, (_, other, format)) in &after {
            if other.is_same_place(name) && asked.insert((*leaf, indices.clone())) {
                let value = indices.iter().fold(*leaf, |array, i| ex.cx.terms.select(array, *i));
                list.push(question(Group::After, name, &indices, format, value));
            }
        }
    }
}

fn question(group: Group, name: &Pattern, indices: &[TermId], format: &Format, term: TermId) -> Question {
    Question { group, name: name.clone(), indices: indices.to_vec(), format: format.clone(), term }
}

/// Named locals of the function, where the failing place is in its own frame.
fn locals(ex: &mut Executor<'_>, target: &Target, claim: &Claim, list: &mut Vec<Question>) {
    let TargetKind::Function { body, .. } = target.kind else { return };
    let proc = &ex.program.procs[body];
    for (id, local) in proc.locals.iter_ids() {
        let var = Var::Local(claim.frame, id, local.ty);
        let wanted = !local.name.is_empty() && !proc.params.contains(&id);
        if !wanted || !claim.state.touched().any(|v| v == var) {
            continue;
        }
        if let Some(format) = Format::of(ex.program, local.ty)
            && let Ok(value) = ex.cx.get(&claim.state, var)
        {
            list.push(question(Group::Local, &Pattern::plain(&local.name), &[], &format, value[0]));
        }
    }
}

/// What the claim uses of the transaction and the block.
fn environment(ex: &mut Executor<'_>, claim: TermId, list: &mut Vec<Question>) {
    // That others call is no news about the caller.
    let (caller, this) = (ex.cx.env_term(EnvVar::Caller, &Type::Address), ex.this());
    let (another, yes) = (ex.cx.terms.ne(caller, this), ex.cx.terms.bool(true));
    let claim = ex.cx.terms.replace(claim, another, yes);
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
        list.push(question(Group::Environment, &Pattern::plain(name), &[], &format, term));
    });
}
