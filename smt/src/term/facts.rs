//! What is known about every term from the moment it is made.

use super::{Node, Op, TermId, Terms};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// The bound variables that occur free, sorted; `None` for the many terms without any.
    free: Option<Arc<[TermId]>>,
    /// Whether the array is built upon a lambda.
    lambda: bool,
}

impl Terms {
    pub(super) fn facts_of(&self, node: &Node, id: TermId) -> Facts {
        let lambda_below = |arg: &TermId| self.facts[arg.0 as usize].lambda;
        let lambda = match (&node.op, &*node.args) {
            (Op::Lambda, _) => true,
            (Op::Store, [array, ..]) => lambda_below(array),
            (Op::Ite, [_, then, other]) => lambda_below(then) || lambda_below(other),
            _ => false,
        };
        Facts { free: self.free_of(node, id), lambda }
    }

    fn free_of(&self, node: &Node, id: TermId) -> Option<Arc<[TermId]>> {
        let bound_here: &[TermId] = match (&node.op, &*node.args) {
            (Op::Bound(_), _) => return Some([id].into()),
            (Op::Lambda | Op::Forall | Op::Exists, [vars @ .., _]) => vars,
            _ => &[],
        };
        let args = &node.args[bound_here.len()..];
        let mut below = args.iter().filter_map(|arg| self.facts[arg.0 as usize].free.as_ref());
        let first = below.next()?;
        if bound_here.is_empty() && below.clone().all(|other| Arc::ptr_eq(first, other)) {
            return Some(first.clone());
        }
        let mut all: Vec<TermId> = first.iter().chain(below.flat_map(|free| free.iter())).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|var| !bound_here.contains(var));
        (!all.is_empty()).then(|| all.into())
    }

    /// The bound variables that occur in the term outside their quantifier or lambda, sorted.
    pub fn free_variables(&self, term: TermId) -> &[TermId] {
        self.facts[term.0 as usize].free.as_deref().unwrap_or_default()
    }

    /// Whether every bound variable in the term is under its quantifier or lambda.
    pub fn is_closed(&self, term: TermId) -> bool {
        self.facts[term.0 as usize].free.is_none()
    }

    /// Whether a lambda is among what the array was built from, so that a plain `select` would hide it.
    pub(super) fn has_lambda(&self, array: TermId) -> bool {
        self.facts[array.0 as usize].lambda
    }
}
