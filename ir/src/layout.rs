//! Where solc puts values in storage, memory and ABI encodings: knowledge about types only, no contents.

use crate::hash::keccak_word;
use crate::ids::{StructId, TypeId};
use crate::types::{Type, Types};
use ruint::aliases::U256;

/// Memory word with the address of the next free byte.
pub const FREE_POINTER: u64 = 0x40;
/// Memory word that stays zero; empty dynamic objects that nobody allocated are here.
pub const ZERO_SLOT: u64 = 0x60;
/// Where the first object goes.
pub const FIRST_OBJECT: u64 = 0x80;

// ---- storage ----

/// Bytes a value of the type takes in a storage slot: less than 32 only for scalars, which can share a slot.
pub fn packed_bytes(types: &Types, ty: TypeId) -> u8 {
    match types.get(ty) {
        Type::Bool => 1,
        Type::Int { bits, .. } => (bits / 8) as u8,
        Type::FixedBytes(n) => *n,
        Type::Address => 20,
        Type::Enum(id) => {
            // More than 256 members were allowed before 0.8.
            if types.enums[*id].members.len() > 256 { 2 } else { 1 }
        }
        Type::FnInternal => 8,
        Type::FnExternal => 24,
        Type::Bytes
        | Type::Array { .. }
        | Type::Struct(_)
        | Type::Mapping { .. }
        | Type::StorageRef(_)
        | Type::MemoryRef(_)
        | Type::CalldataRef(_) => 32,
    }
}

/// How many elements of the type share one slot of an array.
pub fn items_per_slot(types: &Types, elem: TypeId) -> u8 {
    32 / packed_bytes(types, elem)
}

/// Number of consecutive slots the type takes (one for anything that can share a slot).
pub fn storage_slots(types: &Types, ty: TypeId) -> U256 {
    match types.get(ty) {
        Type::Array { elem, len: Some(len) } => array_slots(types, *elem, *len).max(U256::ONE),
        Type::Struct(id) => {
            let fields = &types.structs[*id].fields;
            let mut cursor = Cursor::new(U256::ZERO);
            for field in fields {
                cursor.place(types, field.ty);
            }
            cursor.slots().max(U256::ONE)
        }
        _ => U256::ONE,
    }
}

/// Slots taken by `length` consecutive array elements.
pub fn array_slots(types: &Types, elem: TypeId, length: U256) -> U256 {
    let per_slot = U256::from(items_per_slot(types, elem));
    if per_slot > U256::ONE {
        length / per_slot + U256::from(!(length % per_slot).is_zero())
    } else {
        length.wrapping_mul(storage_slots(types, elem))
    }
}

/// Lays out values one after the other, packing those that fit into the current slot.
struct Cursor {
    slot: U256,
    offset: u8,
}

impl Cursor {
    fn new(slot: U256) -> Cursor {
        Cursor { slot, offset: 0 }
    }

    fn place(&mut self, types: &Types, ty: TypeId) -> (U256, u8) {
        let bytes = packed_bytes(types, ty);
        if self.offset + bytes > 32 {
            self.slot = self.slot.wrapping_add(U256::ONE);
            self.offset = 0;
        }
        let at = (self.slot, self.offset);
        if bytes < 32 {
            self.offset += bytes;
        } else {
            self.slot = self.slot.wrapping_add(storage_slots(types, ty));
            self.offset = 0;
        }
        at
    }

    /// Slots used so far, if the start was zero.
    fn slots(&self) -> U256 {
        self.slot.wrapping_add(U256::from(self.offset > 0))
    }
}

/// Slot and byte offset of each variable of a contract whose storage starts at `base`.
pub fn assign_slots(types: &Types, vars: &[TypeId], base: U256) -> Vec<(U256, u8)> {
    let mut cursor = Cursor::new(base);
    vars.iter().map(|ty| cursor.place(types, *ty)).collect()
}

/// Slot (relative to the struct) and byte offset of field `index`.
pub fn field_location(types: &Types, id: StructId, index: usize) -> (U256, u8) {
    let mut cursor = Cursor::new(U256::ZERO);
    let mut at = (U256::ZERO, 0);
    for field in types.structs[id].fields.iter().take(index + 1) {
        at = cursor.place(types, field.ty);
    }
    at
}

/// Slot (relative to the first element) and byte offset of an array's element.
pub fn element_location(types: &Types, elem: TypeId, index: U256) -> (U256, u8) {
    let per_slot = items_per_slot(types, elem);
    if per_slot > 1 {
        let (slot, item) = index.div_rem(U256::from(per_slot));
        (slot, item.to::<u8>() * packed_bytes(types, elem))
    } else {
        (index.wrapping_mul(storage_slots(types, elem)), 0)
    }
}

/// First slot of the elements of the dynamic array, or of the contents of long bytes, at `slot`.
pub fn data_slot(slot: U256) -> U256 {
    keccak_word(&slot.to_be_bytes::<32>())
}

/// Slot of a mapping's value. The key is a word, or the unpadded contents of `bytes` and `string` keys.
pub fn mapping_slot(key: &[u8], slot: U256) -> U256 {
    let mut preimage = key.to_vec();
    preimage.extend_from_slice(&slot.to_be_bytes::<32>());
    keccak_word(&preimage)
}

// ---- memory ----

/// False for what solc leaves out of structs in memory (before 0.7): mappings and arrays of them.
pub fn lives_in_memory(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Mapping { .. } => false,
        Type::Array { elem, .. } => lives_in_memory(types, *elem),
        _ => true,
    }
}

/// Byte offset of a field of a struct in memory: a word for each field before it.
pub fn memory_field_offset(types: &Types, id: StructId, index: usize) -> u64 {
    let fields = &types.structs[id].fields;
    32 * fields.iter().take(index).filter(|f| lives_in_memory(types, f.ty)).count() as u64
}

/// Bytes of a struct in memory.
pub fn memory_struct_size(types: &Types, id: StructId) -> u64 {
    memory_field_offset(types, id, usize::MAX)
}

// ---- ABI ----

/// True if the encoding has a tail: the head holds an offset.
pub fn is_dynamic_abi(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Bytes | Type::Array { len: None, .. } => true,
        Type::Array { elem, len: Some(_) } => is_dynamic_abi(types, *elem),
        Type::Struct(id) => types.structs[*id].fields.iter().any(|f| is_dynamic_abi(types, f.ty)),
        Type::MemoryRef(to) | Type::CalldataRef(to) => is_dynamic_abi(types, *to),
        Type::Bool
        | Type::Int { .. }
        | Type::FixedBytes(_)
        | Type::Address
        | Type::Enum(_)
        | Type::FnInternal
        | Type::FnExternal
        | Type::Mapping { .. }
        | Type::StorageRef(_) => false,
    }
}

/// Bytes the type takes in the head of what contains it.
pub fn abi_head_size(types: &Types, ty: TypeId) -> U256 {
    if is_dynamic_abi(types, ty) { U256::from(32) } else { abi_min_size(types, ty) }
}

/// Bytes of the head of the type's own encoding, at least (solc's "encoded tail size"): the length word of a dynamic
/// array, the heads of the fields of a struct or of the elements of a fixed array.
pub fn abi_min_size(types: &Types, ty: TypeId) -> U256 {
    match types.get(ty) {
        Type::Struct(id) => abi_heads_size(types, types.structs[*id].fields.iter().map(|f| f.ty)),
        Type::Array { elem, len: Some(len) } => len.wrapping_mul(abi_head_size(types, *elem)),
        Type::MemoryRef(to) | Type::CalldataRef(to) => abi_min_size(types, *to),
        _ => U256::from(32),
    }
}

/// Bytes of all heads of a tuple.
pub fn abi_heads_size(types: &Types, tuple: impl IntoIterator<Item = TypeId>) -> U256 {
    tuple.into_iter().fold(U256::ZERO, |sum, ty| sum.wrapping_add(abi_head_size(types, ty)))
}

/// Distance between the elements of an array in ABI data.
pub fn abi_stride(types: &Types, ty: TypeId) -> U256 {
    match types.get(ty) {
        Type::Array { elem, .. } => abi_head_size(types, *elem),
        _ => U256::ONE,
    }
}

/// The type's name in signatures. Enums are the integer that holds them, structs their tuples; what the IR has
/// erased (contracts, user-defined value types, `string`) appears as what it became.
pub fn abi_name(types: &Types, ty: TypeId) -> String {
    match types.get(ty) {
        Type::Bool => "bool".into(),
        Type::Int { bits, signed: false } => format!("uint{bits}"),
        Type::Int { bits, signed: true } => format!("int{bits}"),
        Type::FixedBytes(n) => format!("bytes{n}"),
        Type::Address => "address".into(),
        Type::Enum(_) => format!("uint{}", 8 * u16::from(packed_bytes(types, ty))),
        Type::FnInternal | Type::FnExternal => "function".into(),
        Type::Bytes => "bytes".into(),
        Type::Array { elem, len: None } => format!("{}[]", abi_name(types, *elem)),
        Type::Array { elem, len: Some(len) } => format!("{}[{len}]", abi_name(types, *elem)),
        Type::Struct(id) => {
            let fields: Vec<String> =
                types.structs[*id].fields.iter().map(|f| abi_name(types, f.ty)).collect();
            format!("({})", fields.join(","))
        }
        Type::Mapping { key, value } => {
            format!("mapping({} => {})", abi_name(types, *key), abi_name(types, *value))
        }
        Type::StorageRef(to) => format!("{} storage", abi_name(types, *to)),
        Type::MemoryRef(to) | Type::CalldataRef(to) => abi_name(types, *to),
    }
}
