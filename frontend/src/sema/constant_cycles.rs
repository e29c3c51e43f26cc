//! Constants stand for their expressions, so none may need itself.

use super::Sema;
use crate::hir::walk::walk_expr;
use crate::hir::{ExprKind, Hir, Member, Ref, VarId, VarKind};
use rustc_hash::FxHashSet;

impl Sema<'_> {
    pub(super) fn check_constant_cycles(&mut self) {
        let constants = self.hir.vars.iter_ids().filter(|(_, var)| var.kind == VarKind::Constant);
        let cyclic: Vec<VarId> =
            constants.map(|(id, _)| id).filter(|id| needs_itself(&self.hir, *id)).collect();
        for id in cyclic {
            let var = &self.hir.vars[id];
            let message = format!("the value of the constant `{}` depends on itself", var.name);
            self.error(var.span, message);
        }
    }
}

fn needs_itself(hir: &Hir, constant: VarId) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![constant];
    while let Some(next) = open.pop() {
        for needed in constants_in(hir, next) {
            if needed == constant {
                return true;
            }
            if seen.insert(needed) {
                open.push(needed);
            }
        }
    }
    false
}

/// The constants that a constant's expression names.
fn constants_in(hir: &Hir, constant: VarId) -> Vec<VarId> {
    let mut found = Vec::new();
    if let Some(init) = &hir.vars[constant].init {
        walk_expr(init, &mut |e| {
            if let ExprKind::Name(Ref::Var(var))
            | ExprKind::Member { member: Member::Decl(Ref::Var(var)), .. } = &e.kind
                && hir.vars[*var].kind == VarKind::Constant
            {
                found.push(*var);
            }
        });
    }
    found
}
