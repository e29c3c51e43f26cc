//! Positions in storage and memory, against what solc's documentation says about the layout.

#[allow(dead_code)]
mod support;

use hornet_ir::U256;
use hornet_ir::interp::memory::Memory;
use hornet_ir::interp::storage::{self, PathStep, WordStore};
use hornet_ir::interp::value::{StoragePtr, Trap, Tree, Value};
use hornet_ir::layout;
use hornet_ir::types::{Field, StructDef, Type, Types};
use support::Slots;

fn n(n: u64) -> U256 {
    U256::from(n)
}

fn root(slot: u64) -> StoragePtr {
    StoragePtr { slot: n(slot), offset: 0, transient: false }
}

/// `struct S { uint128 a; uint128 b; uint24[9] c; bool d; }`, a variable before and one behind it.
#[test]
fn packing() {
    let mut types = Types::default();
    let u128 = types.uint(128);
    let u24 = types.uint(24);
    let bool = types.bool();
    let array = types.intern(Type::Array { elem: u24, len: Some(n(11)) });
    let field = |name: &str, ty| Field { name: name.into(), ty };
    let fields = vec![field("a", u128), field("b", u128), field("c", array), field("d", bool)];
    let id = types.structs.push(StructDef { name: "S".into(), fields });
    let s = types.intern(Type::Struct(id));
    assert_eq!(layout::items_per_slot(&types, u24), 10);
    assert_eq!(layout::storage_slots(&types, array), n(2));
    assert_eq!(layout::storage_slots(&types, s), n(4));
    let places: Vec<_> = (0..4).map(|i| layout::field_location(&types, id, i)).collect();
    assert_eq!(places, [(n(0), 0), (n(0), 16), (n(1), 0), (n(3), 0)]);
    let slots = layout::assign_slots(&types, &[bool, s, bool, u24, u128, u128], n(5));
    assert_eq!(slots, [(n(5), 0), (n(6), 0), (n(10), 0), (n(10), 1), (n(10), 4), (n(11), 0)]);
    assert_eq!(layout::element_location(&types, u24, n(10)), (n(1), 0));
    assert_eq!(layout::element_location(&types, u24, n(9)), (n(0), 27));
    assert_eq!(layout::abi_name(&types, s), "(uint128,uint128,uint24[11],bool)");
    assert_eq!(layout::abi_head_size(&types, s), n(32 * 14));
}

#[test]
fn paths_through_mappings_and_arrays() {
    let mut types = Types::default();
    let u64 = types.uint(64);
    let address = types.address();
    let string = types.bytes();
    let list = types.intern(Type::Array { elem: u64, len: None });
    let inner = types.intern(Type::Mapping { key: string, value: list });
    let outer = types.intern(Type::Mapping { key: address, value: inner });
    let slots = Slots::default();
    let step = |ptr, ty, step| storage::step(&types, &slots, ptr, ty, &step).unwrap();
    let (ptr, ty) = step(root(3), outer, PathStep::Index(Value::Word(n(0xabc))));
    let (ptr, ty) = step(ptr, ty, PathStep::Index(Value::bytes(*b"key")));
    let (ptr, ty) = step(ptr, ty, PathStep::Index(Value::Word(n(6))));
    assert_eq!((ptr.offset, ty), (16, u64));
    let first = layout::mapping_slot(&n(0xabc).to_be_bytes::<32>(), n(3));
    let second = layout::mapping_slot(b"key", first);
    assert_eq!(ptr.slot, layout::data_slot(second) + n(1));
}

#[test]
fn packed_scalars_leave_their_neighbours_alone() {
    let mut types = Types::default();
    let i8 = types.intern(Type::Int { bits: 8, signed: true });
    let b2 = types.intern(Type::FixedBytes(2));
    let mut slots = Slots::default();
    slots.store(n(1), U256::MAX);
    let at = |offset| StoragePtr { slot: n(1), offset, transient: false };
    storage::store_scalar(&types, &mut slots, at(3), b2, n(0x1234) << 240);
    storage::store_scalar(&types, &mut slots, at(5), i8, U256::ZERO - n(2));
    assert_eq!(slots.load(n(1)), (U256::MAX << 48) | n(0xfe1234ffffff));
    assert_eq!(storage::load_scalar(&types, &slots, at(3), b2), n(0x1234) << 240);
    assert_eq!(storage::load_scalar(&types, &slots, at(5), i8), U256::ZERO - n(2));
}

/// Growing and shrinking byte by byte moves the contents between the slot and the data area.
#[test]
fn bytes_change_between_short_and_long() {
    let mut types = Types::default();
    let bytes = types.bytes();
    types.intern(Type::FixedBytes(1));
    let mut slots = Slots::default();
    let push = |slots: &mut Slots, i: u64| {
        storage::set_length(&types, slots, root(0), bytes, n(i + 1)).unwrap();
        let step = PathStep::Index(Value::Word(n(i)));
        let (ptr, ty) = storage::step(&types, slots, root(0), bytes, &step).unwrap();
        storage::store_scalar(&types, slots, ptr, ty, n(i + 1) << 248);
    };
    for i in 0..70 {
        push(&mut slots, i);
        let expected: Vec<u8> = (1..=i as u8 + 1).collect();
        assert_eq!(storage::load_bytes(&slots, n(0)).unwrap(), expected);
    }
    for length in (0..70u64).rev() {
        storage::set_length(&types, &mut slots, root(0), bytes, n(length)).unwrap();
        let expected: Vec<u8> = (1..=length as u8).collect();
        assert_eq!(storage::load_bytes(&slots, n(0)).unwrap(), expected);
        let mut fresh = Slots::default();
        storage::store_bytes(&mut fresh, n(0), &expected).unwrap();
        assert_eq!(slots.0, fresh.0);
    }
    slots.store(n(0), n(1));
    assert_eq!(storage::length(&types, &slots, root(0), bytes), Err(Trap::Panic(0x22)));
    slots.store(n(0), n(64));
    assert_eq!(storage::length(&types, &slots, root(0), bytes), Err(Trap::Panic(0x22)));
}

#[test]
fn mappings_survive() {
    let mut types = Types::default();
    let uint = types.word();
    let map = types.intern(Type::Mapping { key: uint, value: uint });
    let field = |ty| Field { name: "f".into(), ty };
    let id = types.structs.push(StructDef { name: "S".into(), fields: vec![field(uint), field(map)] });
    let s = types.intern(Type::Struct(id));
    let list = types.intern(Type::Array { elem: s, len: None });
    let mut slots = Slots::default();
    let element = layout::data_slot(n(0));
    let value = layout::mapping_slot(&n(9).to_be_bytes::<32>(), element + n(1));
    slots.store(n(0), n(1));
    slots.store(element, n(7));
    slots.store(value, n(8));
    storage::delete(&types, &mut slots, root(0), list).unwrap();
    assert_eq!(slots.load(n(0)), n(0));
    assert_eq!(slots.load(element), n(0));
    assert_eq!(slots.load(value), n(8));
    // Nor are they part of memory.
    assert_eq!(layout::memory_struct_size(&types, id), 32);
}

#[test]
fn arrays_of_arrays_of_mappings_lose_their_lengths() {
    let mut types = Types::default();
    let word = types.word();
    let mapping = types.intern(Type::Mapping { key: word, value: word });
    let inner = types.intern(Type::Array { elem: mapping, len: None });
    let outer = types.intern(Type::Array { elem: inner, len: None });
    let mut slots = Slots::default();
    let inner_slot = layout::data_slot(n(3));
    slots.store(n(3), n(1));
    slots.store(inner_slot, n(1));
    let value = layout::mapping_slot(&n(42).to_be_bytes::<32>(), layout::data_slot(inner_slot));
    slots.store(value, n(64));
    storage::delete(&types, &mut slots, root(3), outer).unwrap();
    assert_eq!(slots.0.into_iter().collect::<Vec<_>>(), [(value, n(64))]);
}

#[test]
fn objects_in_memory() {
    let mut types = Types::default();
    let uint = types.word();
    let bytes = types.bytes();
    let pair = types.intern(Type::Array { elem: uint, len: Some(n(2)) });
    let pairs = types.intern(Type::Array { elem: pair, len: None });
    let field = |ty| Field { name: "f".into(), ty };
    let id = types.structs.push(StructDef { name: "S".into(), fields: vec![field(bytes), field(pair)] });
    let s = types.intern(Type::Struct(id));
    let mut memory = Memory::new();
    assert_eq!(memory.free_pointer(), Ok(n(0x80)));
    assert_eq!(memory.msize(), n(0x60));
    // The struct first, then what it refers to; empty bytes are the zero slot.
    let ptr = memory.alloc_zero(&types, s).unwrap();
    assert_eq!((ptr, memory.load(ptr), memory.load(ptr + n(32))), (n(0x80), Ok(n(0x60)), Ok(n(0xc0))));
    assert_eq!(memory.free_pointer(), Ok(n(0x100)));
    let ptr = memory.alloc_array(&types, pairs, n(2)).unwrap();
    assert_eq!(memory.load(ptr + n(64)), Ok(ptr + n(96 + 64)));
    assert_eq!(memory.length(&types, pairs, ptr), Ok(n(2)));
    let ptr = memory.alloc_bytes(b"abc").unwrap();
    assert_eq!(memory.load_element(&types, bytes, ptr, n(1)), Ok(n(0x62) << 248));
    memory.store_element(&types, bytes, ptr, n(2), n(0x7a) << 248).unwrap();
    assert_eq!(memory.read_tree(&types, bytes, ptr), Ok(Tree::Bytes((*b"abz").into())));
    assert_eq!(memory.free_pointer(), Ok(ptr + n(64)));
    assert_eq!(memory.alloc_array(&types, pairs, n(1) << 64), Err(Trap::Panic(0x41)));
    assert_eq!(memory.alloc_array(&types, bytes, U256::from(u64::MAX)), Err(Trap::Panic(0x41)));
    assert_eq!(memory.alloc_array(&types, bytes, n(1) << 40), Err(Trap::OutOfGas));
}
