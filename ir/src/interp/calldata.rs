//! References into the data of a call. Nothing is checked when a reference is made of a tail that is not accessed;
//! each access checks what solc's code checks there and reverts without data where it does.

use super::value::{CalldataPtr, Run, Trap, Tree, Value, element_count, scalar_from_abi, word_at};
use crate::ids::TypeId;
use crate::layout;
use crate::types::{Type, Types};
use ruint::aliases::U256;
use std::rc::Rc;

pub const MAX_LENGTH: U256 = U256::from_limbs([u64::MAX, 0, 0, 0]);

/// Calldata of the running call. `strict` (ABI coder v2) rejects scalars out of their type's range.
#[derive(Clone, Copy)]
pub struct Calldata<'a> {
    pub types: &'a Types,
    pub data: &'a [u8],
    pub strict: bool,
}

/// What debugging code calls the ways in which a tail can be wrong.
struct Faults {
    offset: &'static str,
    length: &'static str,
    room: &'static str,
}

/// In an access to a part of it.
const ACCESS: Faults = Faults {
    offset: "Invalid calldata tail offset",
    length: "Invalid calldata tail length",
    room: "Calldata tail too short",
};

/// In reading all of it.
const READ: Faults = Faults {
    offset: "Invalid calldata access offset",
    length: "Invalid calldata access length",
    room: "Invalid calldata access stride",
};

/// Signed comparison of EVM words.
pub fn slt(a: U256, b: U256) -> bool {
    let flip = U256::ONE << 255;
    (a ^ flip) < (b ^ flip)
}

impl<'a> Calldata<'a> {
    pub fn new(types: &'a Types, data: &'a [u8], strict: bool) -> Self {
        Calldata { types, data, strict }
    }

    fn size(&self) -> U256 {
        U256::from(self.data.len())
    }

    /// Field `index` of the struct of type `ty` at `ptr`.
    pub fn field(&self, ty: TypeId, ptr: CalldataPtr, index: usize) -> Run<Value> {
        self.field_for(&ACCESS, ty, ptr, index)
    }

    fn field_for(&self, faults: &Faults, ty: TypeId, ptr: CalldataPtr, index: usize) -> Run<Value> {
        let Type::Struct(id) = self.types.get(ty) else {
            return Err(Trap::Unsupported("ill-typed IR: field of calldata that is no struct".into()));
        };
        let fields = &self.types.structs[*id].fields;
        let Some(field) = fields.get(index) else {
            return Err(Trap::Unsupported("ill-typed IR: no such field in calldata".into()));
        };
        let offset = layout::abi_heads_size(self.types, fields[..index].iter().map(|f| f.ty));
        self.at(faults, field.ty, ptr.offset, ptr.offset.wrapping_add(offset))
    }

    /// Element `index` (already checked against the length) of the array or bytes of type `ty` at `ptr`.
    pub fn element(&self, ty: TypeId, ptr: CalldataPtr, index: U256) -> Run<Value> {
        self.element_for(&ACCESS, ty, ptr, index)
    }

    fn element_for(&self, faults: &Faults, ty: TypeId, ptr: CalldataPtr, index: U256) -> Run<Value> {
        match self.types.get(ty) {
            Type::Array { elem, .. } => {
                let stride = layout::abi_head_size(self.types, *elem);
                self.at(faults, *elem, ptr.offset, ptr.offset.wrapping_add(index.wrapping_mul(stride)))
            }
            _ => {
                let word = word_at(self.data, ptr.offset.wrapping_add(index));
                Ok(Value::Word(word & (U256::from(0xff) << 248)))
            }
        }
    }

    /// The value whose head is at `head`; offsets in it count from `base`.
    fn at(&self, faults: &Faults, ty: TypeId, base: U256, head: U256) -> Run<Value> {
        let types = self.types;
        if types.get(ty).is_scalar() {
            let word = word_at(self.data, head);
            return scalar_from_abi(types, ty, word, self.strict).map(Value::Word).ok_or(Trap::empty());
        }
        if !layout::is_dynamic_abi(types, ty) {
            let length = static_length(types, ty);
            return Ok(Value::Calldata(CalldataPtr { offset: head, length }));
        }
        self.tail(faults, ty, base, head).map(Value::Calldata)
    }

    /// Follows the offset in the word at `head`.
    fn tail(&self, faults: &Faults, ty: TypeId, base: U256, head: U256) -> Run<CalldataPtr> {
        let relative = word_at(self.data, head);
        let needed = layout::abi_min_size(self.types, ty);
        let limit = self.size().wrapping_sub(base).wrapping_sub(needed.wrapping_sub(U256::ONE));
        if !slt(relative, limit) {
            return Err(Trap::Malformed(faults.offset));
        }
        let offset = base.wrapping_add(relative);
        if !matches!(self.types.get(ty), Type::Bytes | Type::Array { len: None, .. }) {
            return Ok(CalldataPtr { offset, length: static_length(self.types, ty) });
        }
        let length = word_at(self.data, offset);
        let offset = offset.wrapping_add(U256::from(32));
        let room = self.size().wrapping_sub(length.wrapping_mul(layout::abi_stride(self.types, ty)));
        if length > MAX_LENGTH {
            return Err(Trap::Malformed(faults.length));
        }
        if slt(room, offset) {
            return Err(Trap::Malformed(faults.room));
        }
        Ok(CalldataPtr { offset, length })
    }

    /// Length of the array or bytes behind a reference.
    pub fn length(&self, ty: TypeId, ptr: CalldataPtr) -> U256 {
        match self.types.get(ty) {
            Type::Array { len: Some(len), .. } => *len,
            _ => ptr.length,
        }
    }

    /// Contents of the bytes behind a reference.
    pub fn bytes(&self, ptr: CalldataPtr) -> Run<Rc<[u8]>> {
        let length = usize::try_from(ptr.length).ok().filter(|n| *n <= 64 << 20).ok_or(Trap::OutOfGas)?;
        let rest = usize::try_from(ptr.offset).ok().and_then(|o| self.data.get(o..)).unwrap_or(&[]);
        let mut out = rest[..length.min(rest.len())].to_vec();
        out.resize(length, 0);
        Ok(out.into())
    }

    /// The deep value behind a reference to a `ty`.
    pub fn read_tree(&self, ty: TypeId, ptr: CalldataPtr) -> Run<Tree> {
        match self.types.get(ty) {
            Type::Bytes => Ok(Tree::Bytes(self.bytes(ptr)?)),
            Type::Array { elem, .. } => {
                let count = element_count(self.length(ty, ptr))?;
                let items =
                    (0..count).map(|i| self.deep(*elem, self.element_for(&READ, ty, ptr, U256::from(i))?));
                Ok(Tree::List(items.collect::<Run<_>>()?))
            }
            Type::Struct(id) => {
                let fields = self.types.structs[*id].fields.iter().enumerate();
                let items = fields.map(|(i, f)| self.deep(f.ty, self.field_for(&READ, ty, ptr, i)?));
                Ok(Tree::List(items.collect::<Run<_>>()?))
            }
            _ => Err(Trap::Unsupported("ill-typed IR: a scalar behind a calldata reference".into())),
        }
    }

    fn deep(&self, ty: TypeId, value: Value) -> Run<Tree> {
        match value {
            Value::Calldata(ptr) => self.read_tree(ty, ptr),
            other => other.tree(),
        }
    }
}

fn static_length(types: &Types, ty: TypeId) -> U256 {
    match types.get(ty) {
        Type::Array { len: Some(len), .. } => *len,
        _ => U256::ZERO,
    }
}

/// `x[start:end]`, bounds checked before.
pub fn slice(types: &Types, ty: TypeId, ptr: CalldataPtr, start: U256, end: U256) -> CalldataPtr {
    let skipped = start.wrapping_mul(layout::abi_stride(types, ty));
    CalldataPtr { offset: ptr.offset.wrapping_add(skipped), length: end.wrapping_sub(start) }
}
