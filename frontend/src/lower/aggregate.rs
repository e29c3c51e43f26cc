//! New objects in memory: struct constructors, array literals, `new T[](n)`.

use super::func::{FnLower, Panic};
use crate::hir::{Expr, Loc, StructId, Ty, TyId};
use hornet_ir::U256;
use hornet_ir::expr::{Root, Step};
use hornet_ir::ids::ExprId;
use hornet_ir::program::AllocInit;

impl<'h> FnLower<'_, 'h> {
    /// `S(a, b)`. Before 0.7, mappings inside are left out of the arguments.
    pub fn struct_value(
        &mut self,
        id: StructId,
        args: &'h [Expr],
        eval_order: Option<&[u32]>,
        e: &'h Expr,
    ) -> ExprId {
        let mut members: Vec<(u32, TyId)> = Vec::new();
        for (i, field) in self.hir().structs[id].fields.iter().enumerate() {
            if !self.contains_mapping(field.ty) || args.len() == self.hir().structs[id].fields.len() {
                members.push((i as u32, self.low.tys.with_loc(field.ty, Loc::Memory)));
            }
        }
        let tys: Vec<TyId> = members.iter().map(|m| m.1).collect();
        let values = self.args_as(args, &tys, eval_order);
        let tree = self.low.tree_ty(e.ty);
        let object = self.alloc(tree, AllocInit::Zero(tree));
        for ((field, _), value) in members.iter().zip(values) {
            if let Some(place) = self.low.program.place(Root::Memory(object), &[Step::Field(*field)]) {
                self.b.store(place, value);
            }
        }
        object
    }

    fn contains_mapping(&self, ty: TyId) -> bool {
        match self.ty(ty) {
            Ty::Mapping { .. } => true,
            Ty::Array { elem, .. } => self.contains_mapping(*elem),
            _ => false,
        }
    }

    /// `[a, b, c]`: each element is stored as soon as it is evaluated.
    pub fn array_literal(&mut self, items: &'h [Expr], e: &'h Expr) -> ExprId {
        let elem = match *self.ty(e.ty) {
            Ty::Array { elem, .. } => elem,
            _ => {
                let ir = self.ir_ty(e.ty);
                return self.unsupported(e.span, "array literal of this type", ir);
            }
        };
        // Elements from calldata or storage are copied.
        let elem = self.low.tys.with_loc(elem, Loc::Memory);
        let tree = self.low.tree_ty(e.ty);
        let object = self.alloc(tree, AllocInit::Zero(tree));
        for (i, item) in items.iter().enumerate() {
            let value = self.rvalue_as(item, elem);
            let position = self.const_word(i as u64);
            if let Some(place) = self.low.program.place(Root::Memory(object), &[Step::Index(position)]) {
                self.b.store(place, value);
            }
        }
        object
    }

    /// `new T[](n)`, `new bytes(n)`, `new string(n)`.
    pub fn new_object(&mut self, args: &'h [Expr], e: &'h Expr) -> ExprId {
        let tree = self.low.tree_ty(e.ty);
        let Some(arg) = args.first() else {
            return self.alloc(tree, AllocInit::Zero(tree));
        };
        let word = self.low.tys.uint256();
        let length = self.rvalue_as(arg, word);
        let limit = self.const_word(U256::from(u64::MAX));
        let possible = self.low.program.le(length, limit);
        if self.version.panics() {
            self.require_or_panic(possible, Panic::TooMuchMemory, None);
        } else if self.version.at_least(5, 0) {
            self.require_or_revert(possible);
        }
        self.alloc(tree, AllocInit::Array(tree, length))
    }
}
