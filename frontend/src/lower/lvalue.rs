//! What can be assigned to: locals, places in storage and memory, lengths (before 0.6). Tuples are taken apart in `assign`.

use super::func::FnLower;
use crate::hir::{Builtin, Expr, ExprKind, Member, Ref, Ty, TyId, VarId};
use hornet_ir::expr::{Location, Step};
use hornet_ir::ids::{ExprId, LocalId, PlaceId};
use hornet_ir::program::{AllocInit, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;

#[derive(Clone, Debug)]
pub(super) struct LValue {
    pub ty: TyId,
    pub target: Target,
}

#[derive(Clone, Debug)]
pub(super) enum Target {
    Local(LocalId),
    Place(PlaceId),
    /// The length of the dynamic array at the place.
    Length(PlaceId),
    /// Not modelled; said so already.
    Nowhere,
}

impl<'h> FnLower<'_, 'h> {
    /// Evaluates everything up to the point of reading or writing: bases, indices and their checks.
    pub fn lvalue(&mut self, e: &'h Expr) -> LValue {
        let target = match &e.kind {
            ExprKind::Tuple(items) if items.len() == 1 => match &items[0] {
                Some(inner) => return self.lvalue(inner),
                None => Target::Nowhere,
            },
            ExprKind::Name(Ref::Var(var)) => self.var_target(*var, e.span),
            ExprKind::Member { member: Member::Decl(Ref::Var(var)), .. } => self.var_target(*var, e.span),
            ExprKind::Member { base, member: Member::Builtin(Builtin::Length), .. } => {
                let array = self.raw(base);
                match self.ref_place(array, &[]) {
                    Some(place) => Target::Length(place),
                    None => self.no_target(e.span),
                }
            }
            _ => match self.place_of(e) {
                Some(place) => Target::Place(place),
                None => self.no_target(e.span),
            },
        };
        LValue { ty: e.ty, target }
    }

    fn no_target(&mut self, span: Span) -> Target {
        let word = self.low.program.types.word();
        self.unsupported(span, "assignment to this expression", word);
        Target::Nowhere
    }

    /// Makes a target independent of what assigning to others changes.
    pub fn pin_lvalue(&mut self, lvalue: LValue) -> LValue {
        let target = match lvalue.target {
            Target::Place(place) => Target::Place(self.pin_place(place)),
            Target::Length(place) => Target::Length(self.pin_place(place)),
            other @ (Target::Local(_) | Target::Nowhere) => other,
        };
        LValue { ty: lvalue.ty, target }
    }

    fn var_target(&mut self, var: VarId, span: Span) -> Target {
        use crate::hir::VarKind;
        match self.hir().vars[var].kind {
            VarKind::Param | VarKind::Return | VarKind::Local => Target::Local(self.var_local(var)),
            VarKind::State | VarKind::Transient | VarKind::Immutable => match self.state_place(var) {
                Some(place) => Target::Place(place),
                None => self.no_target(span),
            },
            VarKind::Constant | VarKind::Bound => self.no_target(span),
        }
    }

    pub fn state_place(&mut self, var: VarId) -> Option<PlaceId> {
        let state = self.low.state_var(self.context, var)?;
        Some(self.low.program.state_place(state))
    }

    /// The place that an expression denotes: a state variable, or a part of something in storage, memory or calldata.
    pub fn place_of(&mut self, e: &'h Expr) -> Option<PlaceId> {
        match &e.kind {
            ExprKind::Tuple(items) if items.len() == 1 => self.place_of(items[0].as_ref()?),
            ExprKind::Name(Ref::Var(var)) | ExprKind::Member { member: Member::Decl(Ref::Var(var)), .. } => {
                if let Some(&value) = self.bindings.get(var) {
                    return self.ref_place(value, &[]);
                }
                match self.var_target(*var, e.span) {
                    Target::Place(place) => Some(place),
                    Target::Local(local) => {
                        let reference = self.get(local);
                        self.ref_place(reference, &[])
                    }
                    Target::Length(_) | Target::Nowhere => None,
                }
            }
            ExprKind::Member { base, member: Member::Field(field), .. } => {
                let base = self.raw(base);
                self.ref_place(base, &[Step::Field(*field)])
            }
            ExprKind::Index { base, index: Some(index) } => self.index_place(base, index, e),
            ExprKind::Call { callee, args, .. } if self.is_builtin(callee, Builtin::Push) => {
                self.push(callee, args).element
            }
            _ => {
                let value = self.raw(e);
                self.ref_place(value, &[])
            }
        }
    }

    pub fn is_builtin(&self, callee: &Expr, builtin: Builtin) -> bool {
        use crate::hir::FnKind;
        matches!(self.ty(callee.ty), Ty::Function(f) if f.kind == FnKind::Builtin(builtin))
    }

    /// What reading a place gives: trees in storage are not read but referred to.
    pub fn load_place(&mut self, place: PlaceId) -> ExprId {
        let program = &mut self.low.program;
        let location = program.exprs.place(place).root.location();
        let ty = program.types.get(program.exprs.place_ty(place));
        if location == Location::Storage && ty.is_tree() {
            return program.storage_ref(place);
        }
        // Malformed calldata reverts where it is read, before anything that the rest of the expression may fail at.
        let validated = location == Location::Calldata && !takes_any_word(ty);
        let value = program.load(place);
        if validated { self.pin(value) } else { value }
    }

    pub fn read_lvalue(&mut self, lvalue: &LValue) -> ExprId {
        match &lvalue.target {
            Target::Local(local) => self.get(*local),
            Target::Place(place) => self.load_place(*place),
            Target::Length(place) => self.low.program.length(*place),
            Target::Nowhere => {
                let ir = self.ir_ty(lvalue.ty);
                self.low.program.default_of(ir)
            }
        }
    }

    /// Stores a value of type `from`, converting it; trees are copied into storage.
    pub fn assign_lvalue(&mut self, lvalue: &LValue, value: ExprId, from: TyId, span: Span) {
        match &lvalue.target {
            Target::Local(local) => {
                let value = self.convert(value, from, lvalue.ty, span);
                self.b.assign(*local, value);
            }
            Target::Place(place) => {
                let value = self.convert(value, from, lvalue.ty, span);
                self.store(*place, value);
            }
            Target::Length(place) => {
                let length = self.convert(value, from, lvalue.ty, span);
                self.b.stmt(StmtKind::SetLength { place: *place, length });
            }
            Target::Nowhere => {}
        }
    }

    /// Stores a converted value: by contents where the place is a tree in storage.
    pub fn store(&mut self, place: PlaceId, value: ExprId) {
        let ty = self.low.program.exprs.place_ty(place);
        let value = if self.low.program.types.get(ty).is_tree() { self.tree_value(value, ty) } else { value };
        self.use_value(value);
        self.b.store(place, value);
    }

    /// `delete x`.
    pub fn delete(&mut self, lvalue: &LValue) {
        match &lvalue.target {
            Target::Local(local) => self.init_default(*local),
            Target::Place(place) => self.delete_place(*place),
            Target::Length(place) => {
                let length = self.const_word(0u64);
                self.b.stmt(StmtKind::SetLength { place: *place, length });
            }
            Target::Nowhere => {}
        }
    }

    fn delete_place(&mut self, place: PlaceId) {
        let ty = self.low.program.exprs.place_ty(place);
        match self.low.program.types.get(ty).clone() {
            Type::MemoryRef(tree) => {
                let fresh = self.alloc(tree, AllocInit::Zero(tree));
                self.b.store(place, fresh);
            }
            t if t.is_tree() => self.b.stmt(StmtKind::Delete { place }),
            _ => {
                let zero = self.low.program.default_of(ty);
                self.b.store(place, zero);
            }
        }
    }
}

/// Whether every word is a value of the type.
fn takes_any_word(ty: &Type) -> bool {
    matches!(ty, Type::Int { bits: 256, .. } | Type::FixedBytes(32))
}
