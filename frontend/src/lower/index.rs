//! Elements of arrays, mappings and bytes; slices; lengths; `push` and `pop`.

use super::func::{FnLower, Panic};
use crate::hir::{Builtin, Expr, ExprKind, Member, Ty, TyId};
use hornet_ir::expr::{BinOp, Builtin as IrBuiltin, Step};
use hornet_ir::ids::{ExprId, PlaceId};
use hornet_ir::program::{ObligationKind, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;

/// What `push` did.
pub(super) struct Pushed {
    pub element: Option<PlaceId>,
    pub new_length: ExprId,
}

impl<'h> FnLower<'_, 'h> {
    /// `base[index]` as a value.
    pub fn index(&mut self, base: &'h Expr, index: &'h Expr, e: &'h Expr) -> ExprId {
        if let Ty::FixedBytes(n) = *self.ty(base.ty) {
            return self.byte_of(base, index, n, e);
        }
        match self.index_place(base, index, e) {
            Some(place) => self.load_place(place),
            None => {
                let ir = self.ir_ty(e.ty);
                self.unsupported(e.span, "indexing this expression", ir)
            }
        }
    }

    pub fn index_place(&mut self, base: &'h Expr, index: &'h Expr, e: &'h Expr) -> Option<PlaceId> {
        let reference = self.raw(base);
        let reference = self.pin_before(reference, index);
        if let Ty::Mapping { key, .. } = *self.ty(base.ty) {
            let key = self.mapping_key(index, key);
            return self.ref_place(reference, &[Step::Index(key)]);
        }
        let position = self.index_word(index);
        self.element(reference, position, e.span)
    }

    fn index_word(&mut self, index: &'h Expr) -> ExprId {
        let word = self.low.tys.uint256();
        self.rvalue_as(index, word)
    }

    /// The place of an element, after checking the index.
    pub fn element(&mut self, reference: ExprId, position: ExprId, span: Span) -> Option<PlaceId> {
        let length = self.length_of(reference)?;
        let inside = self.low.program.lt(position, length);
        self.require_or_panic(inside, Panic::OutOfBounds, Some((ObligationKind::OutOfBounds, span)));
        self.ref_place(reference, &[Step::Index(position)])
    }

    /// Keys of type `bytes` and `string` are their contents.
    pub fn mapping_key(&mut self, index: &'h Expr, key: TyId) -> ExprId {
        match self.ty(key) {
            Ty::Bytes(_) | Ty::String(_) => self.bytes_value(index),
            // The old ABI coder and assembly let numbers through that are no member: those end here.
            Ty::Enum(_) => {
                let value = self.rvalue_as(index, key);
                self.require_member(value);
                value
            }
            _ => self.rvalue_as(index, key),
        }
    }

    /// The number of elements behind a reference to an array or bytes.
    pub fn length_of(&mut self, reference: ExprId) -> Option<ExprId> {
        let ty = self.low.program.exprs.ty(reference);
        let tree = self.low.program.types.referent(ty).unwrap_or(ty);
        match *self.low.program.types.get(tree) {
            Type::Array { len: Some(n), .. } => Some(self.const_word(n)),
            Type::Array { len: None, .. } | Type::Bytes => match self.ref_place(reference, &[]) {
                Some(place) => Some(self.low.program.length(place)),
                None if tree != ty || *self.low.program.types.get(ty) != Type::Bytes => None,
                None => Some(self.low.program.builtin(IrBuiltin::BytesLength, &[reference])),
            },
            _ => None,
        }
    }

    /// `x[i]` of a `bytesN`.
    fn byte_of(&mut self, base: &'h Expr, index: &'h Expr, n: u8, e: &'h Expr) -> ExprId {
        let value = self.raw(base);
        let value = self.pin_before(value, index);
        let position = self.index_word(index);
        let limit = self.const_word(u64::from(n));
        let inside = self.low.program.lt(position, limit);
        self.require_or_panic(inside, Panic::OutOfBounds, Some((ObligationKind::OutOfBounds, e.span)));
        let eight = self.const_word(8u64);
        let program = &mut self.low.program;
        let bits = program.mul(position, eight);
        let shifted = program.binary(BinOp::Shl, value, bits);
        let byte = program.types.intern(Type::FixedBytes(1));
        program.cast(shifted, byte)
    }

    /// `base[start:end]`; bounds that do not fit revert without data.
    pub fn slice(&mut self, base: &'h Expr, start: Option<&'h Expr>, end: Option<&'h Expr>) -> ExprId {
        let mut reference = self.raw(base);
        for later in [start, end].into_iter().flatten() {
            reference = self.pin_before(reference, later);
        }
        let from = match start {
            Some(start) => self.index_word(start),
            None => self.const_word(0u64),
        };
        let from = match end {
            Some(end) => self.pin_before(from, end),
            None => from,
        };
        let length = match self.length_of(reference) {
            Some(length) => length,
            None => self.const_word(0u64),
        };
        let to = match end {
            Some(end) => self.index_word(end),
            None => length,
        };
        let ordered = self.low.program.le(from, to);
        self.require_because(ordered, "Slice starts after end");
        let inside = self.low.program.le(to, length);
        self.require_because(inside, "Slice is greater than length");
        self.low.program.builtin(IrBuiltin::CalldataSlice, &[reference, from, to])
    }

    /// The array that `x.push` or `x.pop` is called on.
    fn array_of(&mut self, callee: &'h Expr) -> Option<(PlaceId, TyId)> {
        match &callee.kind {
            ExprKind::Member { base, member: Member::Builtin(_), .. } => {
                let reference = self.raw(base);
                Some((self.ref_place(reference, &[])?, base.ty))
            }
            ExprKind::Tuple(items) if items.len() == 1 => self.array_of(items[0].as_ref()?),
            _ => None,
        }
    }

    /// `x.push()` and `x.push(v)`: the array, the argument, then the new element.
    pub fn push(&mut self, callee: &'h Expr, args: &'h [Expr]) -> Pushed {
        let Some((mut array, array_ty)) = self.array_of(callee) else {
            let word = self.low.program.types.word();
            let new_length = self.unsupported(callee.span, "`push` used as a value", word);
            return Pushed { element: None, new_length };
        };
        let mut argument = None;
        if let Some(arg) = args.first() {
            if self.has_effects(arg) {
                array = self.pin_place(array);
            }
            argument = Some((self.raw(arg), arg.ty));
        }
        let (position, new_length) = self.grow(array);
        let reference = self.low.program.storage_ref(array);
        let element = self.ref_place(reference, &[Step::Index(position)]);
        if let (Some((value, from)), Some(element)) = (argument, element) {
            let to = self.element_ty(array_ty);
            let value = self.convert(value, from, to, callee.span);
            self.store(element, value);
        }
        Pushed { element, new_length }
    }

    /// Solidity's type of the elements of an array in storage.
    fn element_ty(&mut self, array: TyId) -> TyId {
        match *self.ty(array) {
            Ty::Array { elem, .. } => elem,
            _ => self.low.tys.intern(Ty::FixedBytes(1)),
        }
    }

    /// Adds one element; gives its position and the new length.
    fn grow(&mut self, array: PlaceId) -> (ExprId, ExprId) {
        let length = self.low.program.length(array);
        let position = self.pin(length);
        if self.version.panics() {
            let limit = self.const_word(hornet_ir::U256::from(1) << 64);
            let room = self.low.program.lt(position, limit);
            self.require_or_panic(room, Panic::TooMuchMemory, None);
        }
        let one = self.const_word(1u64);
        let new_length = self.low.program.add(position, one);
        self.b.stmt(StmtKind::SetLength { place: array, length: new_length });
        (position, new_length)
    }

    pub fn pop(&mut self, callee: &'h Expr, e: &'h Expr) {
        let Some((array, _)) = self.array_of(callee) else {
            let word = self.low.program.types.word();
            self.unsupported(callee.span, "`pop` used as a value", word);
            return;
        };
        let length = self.low.program.length(array);
        let (zero, one) = (self.const_word(0u64), self.const_word(1u64));
        let not_empty = self.low.program.ne(length, zero);
        self.require_or_panic(not_empty, Panic::EmptyPop, Some((ObligationKind::EmptyPop, e.span)));
        // Shrinking zeroes the element.
        let length = self.low.program.sub(length, one);
        self.b.stmt(StmtKind::SetLength { place: array, length });
    }

    /// `x.length` of an array, bytes or `bytesN`.
    pub fn length(&mut self, base: &'h Expr, e: &'h Expr) -> ExprId {
        if let Ty::FixedBytes(n) = *self.ty(base.ty) {
            self.raw(base);
            let ir = self.ir_ty(e.ty);
            return self.low.program.const_of(ir, hornet_ir::U256::from(n));
        }
        // The size of an account's code needs no copy of it.
        if let ExprKind::Member { base: account, member: Member::Builtin(Builtin::Code), .. } = &base.kind {
            let account = self.raw(account);
            return self.low.program.builtin(IrBuiltin::CodeSize, &[account]);
        }
        let reference = self.raw(base);
        match self.length_of(reference) {
            Some(length) => length,
            None => {
                let ir = self.ir_ty(e.ty);
                self.unsupported(e.span, "length of this expression", ir)
            }
        }
    }
}
