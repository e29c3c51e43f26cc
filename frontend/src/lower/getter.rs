//! Implicit accessors of public state variables.

use super::Lowering;
use super::func::FnLower;
use crate::hir::{self, Getter, Ty, TyId, VarKind};
use hornet_ir::U256;
use hornet_ir::expr::{Root, Step};
use hornet_ir::ids::{ExprId, ProcId, StateVarId};
use hornet_ir::program::{AllocInit, Entry, ProcKind};

impl<'h> Lowering<'h> {
    pub(super) fn getter_entry(
        &mut self,
        context: hir::ContractId,
        var: hir::VarId,
        getter: &'h Getter,
    ) -> Entry {
        let decl = &self.hir.vars[var];
        Entry {
            name: decl.name.clone(),
            signature: getter.signature.text.clone(),
            selector: getter.signature.selector,
            proc: self.getter_proc(context, var, getter),
            payable: false,
            constant: true,
            strict_abi: self.hir.file(decl.span.file).abi_v2,
        }
    }

    fn getter_proc(&mut self, context: hir::ContractId, var: hir::VarId, getter: &'h Getter) -> ProcId {
        let decl = &self.hir.vars[var];
        let mut f = FnLower::new(self, &decl.name, ProcKind::External, Some(context), Some(decl.span));
        f.written_in = decl.contract;
        let keys: Vec<ExprId> = getter
            .params
            .iter()
            .map(|ty| {
                let ty = f.ir_ty(*ty);
                let local = f.b.param("", ty);
                f.get(local)
            })
            .collect();
        let returns: Vec<_> = getter.returns.iter().map(|ty| f.ir_ty(*ty)).collect();
        returns.iter().for_each(|ty| f.b.ret(*ty));
        f.refuse_ether();
        let values = f.getter_values(var, &keys);
        f.b.ret_values(&values);
        let proc = f.finish();
        self.program.procs.push(proc)
    }
}

impl<'h> FnLower<'_, 'h> {
    fn getter_values(&mut self, var: hir::VarId, keys: &[ExprId]) -> Vec<ExprId> {
        let decl = &self.hir().vars[var];
        if decl.kind == VarKind::Constant {
            return vec![self.constant_value(var)];
        }
        let Some(state) = self.low.state_var(self.context, var) else { return Vec::new() };
        let mut ty = decl.ty;
        let mut steps: Vec<Step> = Vec::new();
        for &key in keys {
            ty = match self.ty(ty).clone() {
                Ty::Mapping { value, .. } => {
                    let key = self.deref(key);
                    steps.push(Step::Index(key));
                    value
                }
                Ty::Array { elem, len, .. } => {
                    self.getter_bounds(state, &steps, len, key);
                    steps.push(Step::Index(key));
                    elem
                }
                _ => ty,
            };
        }
        self.getter_result(state, steps, ty)
    }

    /// A getter's index out of range reverts without data.
    fn getter_bounds(&mut self, state: StateVarId, steps: &[Step], len: Option<U256>, key: ExprId) {
        let length = match len {
            Some(n) => self.const_word(n),
            None => match self.p().place(Root::State(state), steps) {
                Some(place) => self.p().length(place),
                None => return,
            },
        };
        let inside = self.p().lt(key, length);
        self.require_or_revert(inside);
    }

    /// One result per member of a struct (mappings and arrays left out), or the value itself.
    fn getter_result(&mut self, state: StateVarId, steps: Vec<Step>, ty: TyId) -> Vec<ExprId> {
        let paths: Vec<Vec<Step>> = match *self.ty(ty) {
            Ty::Struct(id, _) => {
                let fields = &self.hir().structs[id].fields;
                let kept = fields
                    .iter()
                    .enumerate()
                    .filter(|(_, f)| !matches!(self.ty(f.ty), Ty::Mapping { .. } | Ty::Array { .. }));
                kept.map(|(i, _)| [&steps[..], &[Step::Field(i as u32)]].concat()).collect()
            }
            _ => vec![steps],
        };
        let root = Root::State(state);
        paths
            .into_iter()
            .filter_map(|path| {
                let place = self.p().place(root, &path)?;
                let value = self.p().load(place);
                let tree = self.p().exprs.place_ty(place);
                let in_memory = self.p().types.get(tree).is_tree();
                Some(if in_memory { self.alloc(tree, AllocInit::Copy(tree, value)) } else { value })
            })
            .collect()
    }
}
