//! Types of the IR. Contracts are addresses, user-defined value types are their underlying type,
//! `string` is `bytes`: what distinguishes them has been checked by the front end.

use crate::ids::{EnumId, IdVec, StructId, TypeId};
use indexmap::IndexSet;
use ruint::aliases::U256;
use rustc_hash::FxBuildHasher;

/// The width of sums in annotations: no sum over a mapping or an array of words needs more.
pub const WIDE_BITS: u16 = 512;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    // Scalars: one EVM word each. See [`crate::expr::Expr::Const`] for how a word represents them.
    Bool,
    /// 8 to 256 bits; sums in annotations are wider, and stand for all integers. There are no constants of a wide type.
    Int {
        bits: u16,
        signed: bool,
    },
    /// `bytes1` to `bytes32`.
    FixedBytes(u8),
    Address,
    Enum(EnumId),
    /// Pointer to an internal function (a procedure of the same contract); zero is "not initialised".
    FnInternal,
    /// Address and selector.
    FnExternal,

    // Tree values: what storage holds, and what deep copies carry.
    /// The contents of `bytes` or `string`.
    Bytes,
    /// Fixed (`Some`) or dynamic (`None`) length.
    Array {
        elem: TypeId,
        len: Option<U256>,
    },
    Struct(StructId),
    /// Only in storage; skipped by copies and by `Delete`.
    Mapping {
        key: TypeId,
        value: TypeId,
    },

    // References to a tree in one of the data locations.
    StorageRef(TypeId),
    MemoryRef(TypeId),
    CalldataRef(TypeId),
}

impl Type {
    pub fn is_scalar(&self) -> bool {
        match self {
            Type::Bool
            | Type::Int { .. }
            | Type::FixedBytes(_)
            | Type::Address
            | Type::Enum(_)
            | Type::FnInternal
            | Type::FnExternal => true,
            Type::Bytes
            | Type::Array { .. }
            | Type::Struct(_)
            | Type::Mapping { .. }
            | Type::StorageRef(_)
            | Type::MemoryRef(_)
            | Type::CalldataRef(_) => false,
        }
    }

    /// An integer beyond the EVM's words, in annotations only.
    pub fn is_wide(&self) -> bool {
        matches!(self, Type::Int { bits, .. } if *bits > 256)
    }

    /// Bytes, arrays, structs and mappings: values that live behind references outside storage.
    pub fn is_tree(&self) -> bool {
        matches!(self, Type::Bytes | Type::Array { .. } | Type::Struct(_) | Type::Mapping { .. })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    pub name: String,
    pub ty: TypeId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructDef {
    /// Qualified by the contract that declares it (`C.S`).
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumDef {
    pub name: String,
    pub members: Vec<String>,
}

/// Interned types and the structs and enums they name.
#[derive(Clone, Debug, Default)]
pub struct Types {
    interned: IndexSet<Type, FxBuildHasher>,
    pub structs: IdVec<StructId, StructDef>,
    pub enums: IdVec<EnumId, EnumDef>,
}

impl Types {
    pub fn intern(&mut self, ty: Type) -> TypeId {
        TypeId(self.interned.insert_full(ty).0 as u32)
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.interned[id.0 as usize]
    }

    /// The id of a type that was interned before.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.interned.get_index_of(ty).map(|i| TypeId(i as u32))
    }

    pub fn len(&self) -> usize {
        self.interned.len()
    }

    pub fn is_empty(&self) -> bool {
        self.interned.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.interned.iter().enumerate().map(|(i, t)| (TypeId(i as u32), t))
    }

    pub fn bool(&mut self) -> TypeId {
        self.intern(Type::Bool)
    }

    pub fn uint(&mut self, bits: u16) -> TypeId {
        self.intern(Type::Int { bits, signed: false })
    }

    /// `uint256`, the type of lengths, indices and raw EVM words.
    pub fn word(&mut self) -> TypeId {
        self.uint(256)
    }

    pub fn bytes(&mut self) -> TypeId {
        self.intern(Type::Bytes)
    }

    pub fn address(&mut self) -> TypeId {
        self.intern(Type::Address)
    }

    /// The type of an element or field of type `ty` of an object in memory: trees are held by reference there.
    pub fn in_memory(&mut self, ty: TypeId) -> TypeId {
        if self.get(ty).is_tree() { self.intern(Type::MemoryRef(ty)) } else { ty }
    }

    /// The type of an element or field of type `ty` of an object in calldata.
    pub fn in_calldata(&mut self, ty: TypeId) -> TypeId {
        if self.get(ty).is_tree() { self.intern(Type::CalldataRef(ty)) } else { ty }
    }

    /// What a reference type points to.
    pub fn referent(&self, ty: TypeId) -> Option<TypeId> {
        match self.get(ty) {
            Type::StorageRef(t) | Type::MemoryRef(t) | Type::CalldataRef(t) => Some(*t),
            _ => None,
        }
    }
}
