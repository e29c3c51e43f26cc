//! Conversions between Solidity types, implicit and explicit.

use super::func::{FnLower, Panic};
use crate::hir::{FnKind, Loc, Ty, TyId};
use hornet_ir::expr::Builtin;
use hornet_ir::ids::{ExprId, TypeId};
use hornet_ir::program::{AllocInit, ObligationKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;

impl<'h> FnLower<'_, 'h> {
    /// A value of type `from` as a value of type `to`. Reference types are copied where their location changes; a
    /// value that is to be copied into storage stays as it is, since only the place knows how to receive it (see
    /// [`FnLower::assign`]).
    pub fn convert(&mut self, value: ExprId, from: TyId, to: TyId, span: Span) -> ExprId {
        if from == to && !self.is_literal(from) {
            return value;
        }
        if self.is_literal(from) {
            return self.literal_as(from, to, span);
        }
        let to = self.mobile(to);
        if self.low.tys.loc(to).is_some() {
            return self.convert_reference(value, to, span);
        }
        let ir = self.ir_ty(to);
        match (self.ty(from).clone(), self.ty(to).clone()) {
            (Ty::Mapping { .. }, Ty::Mapping { .. }) => value,
            (Ty::Bytes(_) | Ty::String(_) | Ty::Slice(_), Ty::FixedBytes(_)) => {
                let contents = self.deref(value);
                self.low.program.cast(contents, ir)
            }
            (Ty::Function(f), Ty::Address { .. }) if f.kind == FnKind::External => {
                self.low.program.builtin(Builtin::FnAddress, &[value])
            }
            (Ty::Enum(_), Ty::Int { .. }) => {
                self.use_value(value);
                self.convert_scalar(value, ir, span)
            }
            (Ty::Int { .. }, Ty::Enum(_)) => self.convert_to_enum(value, ir, span),
            (Ty::Fixed { .. }, _) | (_, Ty::Fixed { .. }) => self.unsupported(span, "fixed-point number", ir),
            _ => self.convert_scalar(value, ir, span),
        }
    }

    /// To a reference type.
    fn convert_reference(&mut self, value: ExprId, to: TyId, span: Span) -> ExprId {
        let tree = self.low.tree_ty(to);
        let have = self.low.program.exprs.ty(value);
        match (self.low.tys.loc(to), self.low.program.types.get(have).clone()) {
            (Some(Loc::Memory), Type::MemoryRef(t)) if t == tree => value,
            (Some(Loc::Memory), Type::MemoryRef(_)) => {
                let contents = self.deref(value);
                self.alloc(tree, AllocInit::Copy(tree, contents))
            }
            (Some(Loc::Memory), Type::StorageRef(_) | Type::CalldataRef(_)) => {
                self.alloc(tree, AllocInit::Copy(tree, value))
            }
            (Some(Loc::Memory), t) if t.is_tree() => self.alloc(tree, AllocInit::Copy(tree, value)),
            (Some(Loc::StorageRef | Loc::StoragePtr), _) => value,
            (Some(Loc::Calldata), Type::CalldataRef(_)) => value,
            _ => {
                let ir = self.ir_ty(to);
                self.unsupported(span, "conversion between data locations", ir)
            }
        }
    }

    fn convert_to_enum(&mut self, value: ExprId, ir: TypeId, span: Span) -> ExprId {
        let word = self.low.program.types.word();
        let number = self.low.program.cast(value, word);
        self.require_below_members(number, ir, Some((ObligationKind::EnumConversion, span)));
        self.low.program.cast(number, ir)
    }

    /// Panics if the value of an enum is none of its members.
    pub(super) fn require_member(&mut self, value: ExprId) {
        let ir = self.low.program.exprs.ty(value);
        let word = self.low.program.types.word();
        let number = self.low.program.cast(value, word);
        self.require_below_members(number, ir, None);
    }

    fn require_below_members(&mut self, number: ExprId, ir: TypeId, check: Option<(ObligationKind, Span)>) {
        let members = match self.low.program.types.get(ir) {
            Type::Enum(id) => self.low.program.types.enums[*id].members.len() as u64,
            _ => u64::MAX,
        };
        let limit = self.const_word(members);
        let in_range = self.low.program.lt(number, limit);
        self.require_or_panic(in_range, Panic::EnumConversion, check);
    }

    /// Between scalars. Numbers and `bytesN` meet at the integer of the same width.
    fn convert_scalar(&mut self, value: ExprId, to: TypeId, span: Span) -> ExprId {
        let from = self.low.program.exprs.ty(value);
        if from == to {
            return value;
        }
        let program = &mut self.low.program;
        let (source, target) = (program.types.get(from).clone(), program.types.get(to).clone());
        match (source, target) {
            (Type::FixedBytes(_), Type::FixedBytes(_)) => program.cast(value, to),
            (Type::FixedBytes(n), t) if t.is_scalar() => {
                let same_width = program.types.uint(8 * u16::from(n));
                let number = program.cast(value, same_width);
                program.cast(number, to)
            }
            (s, Type::FixedBytes(n)) if s.is_scalar() => {
                let same_width = program.types.uint(8 * u16::from(n));
                let number = program.cast(value, same_width);
                program.cast(number, to)
            }
            (s, t) if s.is_scalar() && t.is_scalar() => program.cast(value, to),
            _ => self.unsupported(span, "conversion between these types", to),
        }
    }

    /// A value as the deep tree value that a place in storage of type `ty` receives.
    pub fn tree_value(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        let contents = self.deref(value);
        self.low.program.cast(contents, ty)
    }
}
