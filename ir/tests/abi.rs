//! ABI encoding against hand-computed data, and all data locations against each other on random types and values.

mod support;

use hornet_ir::U256;
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::TypeId;
use hornet_ir::interp::abi::{Sources, decode::decode, encode};
use hornet_ir::interp::calldata::Calldata;
use hornet_ir::interp::memory::Memory;
use hornet_ir::interp::storage;
use hornet_ir::interp::value::{CalldataPtr, StoragePtr, Trap, Tree, Value};
use hornet_ir::types::{Type, Types};
use proptest::prelude::*;
use support::{Slots, intern, shape, stream, value};

fn word(n: u64) -> Tree {
    Tree::Word(U256::from(n))
}

fn bytes(s: &[u8]) -> Tree {
    Tree::Bytes(s.into())
}

/// Words in hexadecimal, shorter ones padded on the left, those that end in `…` on the right.
fn lines(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.split_whitespace() {
        let digits = match line.strip_suffix('…') {
            Some(digits) => format!("{digits:0<64}"),
            None => format!("{line:0>64}"),
        };
        out.extend((0..64).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()));
    }
    out
}

/// `f(uint256,uint32[],bytes10,bytes)`: heads in place, tails behind them in order.
#[test]
fn heads_and_tails() {
    let mut types = Types::default();
    let uint = types.word();
    let u32 = types.uint(32);
    let list = types.intern(Type::Array { elem: u32, len: None });
    let b10 = types.intern(Type::FixedBytes(10));
    let data = types.bytes();
    let trees = [
        word(0x123),
        Tree::List(vec![word(0x456), word(0x789)]),
        Tree::Word(U256::from_be_slice(b"1234567890") << 176),
        bytes(b"Hello, world!"),
    ];
    let out = encode::encode_trees(&types, AbiMode::Standard, &[uint, list, b10, data], &trees).unwrap();
    let expected = "123 80 31323334353637383930… e0 2 456 789 d 48656c6c6f2c20776f726c6421…";
    assert_eq!(out, lines(expected));
}

/// `uint256[][]` and `string[]`: offsets of inner tails count from behind the length.
#[test]
fn nested_dynamic_arrays() {
    let mut types = Types::default();
    let uint = types.word();
    let inner = types.intern(Type::Array { elem: uint, len: None });
    let outer = types.intern(Type::Array { elem: inner, len: None });
    let string = types.bytes();
    let strings = types.intern(Type::Array { elem: string, len: None });
    let trees = [
        Tree::List(vec![Tree::List(vec![word(1), word(2)]), Tree::List(vec![word(3)])]),
        Tree::List(vec![bytes(b"one"), bytes(b"two")]),
    ];
    let out = encode::encode_trees(&types, AbiMode::Standard, &[outer, strings], &trees).unwrap();
    let expected = "40 140 2 40 a0 2 1 2 1 3 2 40 80 3 6f6e65… 3 74776f…";
    assert_eq!(out, lines(expected));
}

#[test]
fn packed_and_topics() {
    let mut types = Types::default();
    let i16 = types.intern(Type::Int { bits: 16, signed: true });
    let b1 = types.intern(Type::FixedBytes(1));
    let u16 = types.uint(16);
    let string = types.bytes();
    let array = types.intern(Type::Array { elem: u16, len: Some(U256::from(2)) });
    let strings = types.intern(Type::Array { elem: string, len: None });
    let function = types.intern(Type::FnExternal);
    let trees = [Tree::Word(U256::MAX), Tree::Word(U256::from(0x42) << 248), word(3), bytes(b"Hello")];
    let out = encode::encode_trees(&types, AbiMode::Packed, &[i16, b1, u16, string], &trees).unwrap();
    assert_eq!(out, b"\xff\xff\x42\x00\x03Hello");
    let list = [Tree::List(vec![word(1), word(2)])];
    assert_eq!(encode::encode_trees(&types, AbiMode::Packed, &[array], &list).unwrap(), lines("1 2"));
    let out = encode::encode_trees(&types, AbiMode::Packed, &[function], &[word(0x0102030405)]).unwrap();
    assert_eq!((out.len(), &out[19..]), (24, &[1u8, 2, 3, 4, 5][..]));
    let out = encode::encode_trees(&types, AbiMode::Topic, &[string], &[bytes(b"ab")]).unwrap();
    assert_eq!(out, b"ab");
    let list = [Tree::List(vec![bytes(b"ab"), bytes(b"")])];
    assert_eq!(encode::encode_trees(&types, AbiMode::Topic, &[strings], &list).unwrap(), lines("6162…"));
}

#[test]
fn decoding_failures() {
    let mut types = Types::default();
    let string = types.bytes();
    let u8 = types.uint(8);
    let calldata = types.intern(Type::CalldataRef(string));
    let try_decode = |data: &str, ty: TypeId, strict: bool| {
        decode(&types, strict, &lines(data), 0, &[ty], &mut Memory::new()).map(|v| v[0].clone())
    };
    let fails = |data: &str, ty: TypeId, strict: bool| match try_decode(data, ty, strict) {
        Err(trap @ (Trap::Malformed(_) | Trap::Revert(_))) => assert!(trap.payload().is_empty()),
        other => panic!("{data} gives {other:?}"),
    };
    fails("", u8, true);
    fails("100", u8, true);
    assert_eq!(try_decode("100", u8, false), Ok(Value::Word(U256::ZERO)));
    fails("20", string, true);
    fails("20 1", string, true);
    fails("20 21 0", string, true);
    fails("10000000000000000 0", string, true);
    let panic = Err(Trap::Panic(0x41));
    assert_eq!(try_decode("20 10000000000000000 0", string, true), panic);
    assert_eq!(try_decode("20 ffffffffffffffff 0", string, true), panic);
    fails("20 ffffffffffffffff 0", string, false);
    fails("20 10000000000000000 0", calldata, true);
    assert_eq!(try_decode("20 0", string, true), Ok(Value::Word(U256::from(0x80))));
    let at = |offset: u64, length: u64| {
        Ok(Value::Calldata(CalldataPtr { offset: U256::from(offset), length: U256::from(length) }))
    };
    assert_eq!(try_decode("20 2 6162…", calldata, true), at(0x40, 2));
}

// ---- random types and values ----

fn read_back(types: &Types, memory: &Memory, data: &[u8], ty: TypeId, value: &Value) -> Tree {
    let none = Slots::default();
    let calldata = Calldata::new(types, data, true);
    let sources = Sources { types, memory, calldata, storage: &none, transient: &none };
    sources.tree(ty, value).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// encode, then decode to memory and to calldata references, gives the values back.
    #[test]
    fn decoding_inverts_encoding(shapes in prop::collection::vec(shape(), 1..4), seed: u64, strict: bool) {
        let mut types = Types::default();
        let tys: Vec<TypeId> = shapes.iter().map(|s| intern(&mut types, s)).collect();
        let mut random = stream(seed);
        let trees: Vec<Tree> = shapes.iter().map(|s| value(s, &mut random)).collect();
        let mut data = vec![1, 2, 3, 4];
        data.extend(encode::encode_trees(&types, AbiMode::Standard, &tys, &trees).unwrap());

        let in_memory: Vec<TypeId> = tys.iter().map(|t| types.in_memory(*t)).collect();
        let in_calldata: Vec<TypeId> = tys.iter().map(|t| types.in_calldata(*t)).collect();
        for refs in [in_memory, in_calldata] {
            let mut memory = Memory::new();
            let values = decode(&types, strict, &data, 4, &refs, &mut memory).unwrap();
            for ((ty, v), tree) in refs.iter().zip(&values).zip(&trees) {
                prop_assert_eq!(&read_back(&types, &memory, &data, *ty, v), tree);
            }
        }
    }

    /// Whatever the bytes, decoding and reading end in a value or a revert.
    #[test]
    fn broken_data_only_reverts(shape in shape(), seed: u64, damage in prop::collection::vec((any::<u16>(), any::<u8>()), 1..4)) {
        let mut types = Types::default();
        let ty = intern(&mut types, &shape);
        let mut random = stream(seed);
        let tree = value(&shape, &mut random);
        let mut data = encode::encode_trees(&types, AbiMode::Standard, &[ty], &[tree]).unwrap();
        for (at, byte) in damage {
            let length = data.len();
            data[usize::from(at) % length] = byte;
        }
        for ty in [types.in_memory(ty), types.in_calldata(ty)] {
            let mut memory = Memory::new();
            match decode(&types, true, &data, 0, &[ty], &mut memory) {
                Ok(values) => {
                    let none = Slots::default();
                    let calldata = Calldata::new(&types, &data, true);
                    let sources = Sources { types: &types, memory: &memory, calldata, storage: &none, transient: &none };
                    let read = sources.tree(ty, &values[0]);
                    prop_assert!(read.is_ok() || matches!(read, Err(Trap::Revert(_) | Trap::Malformed(_) | Trap::OutOfGas)));
                }
                Err(trap) => prop_assert!(matches!(trap, Trap::Revert(_) | Trap::Malformed(_) | Trap::Panic(0x41)), "{:?}", trap),
            }
        }
    }

    /// Storage gives back what was stored over something else, and nothing is left after deletion.
    #[test]
    fn storage_replaces_and_clears(shape in shape(), seeds: [u64; 2], offset in 0u64..3) {
        let mut types = Types::default();
        let ty = intern(&mut types, &shape);
        let mut slots = Slots::default();
        let ptr = StoragePtr { slot: U256::from(offset), offset: 0, transient: false };
        for seed in seeds {
            let tree = value(&shape, &mut stream(seed));
            storage::store_tree(&types, &mut slots, ptr, ty, &tree).unwrap();
            prop_assert_eq!(storage::load_tree(&types, &slots, ptr, ty).unwrap(), tree.clone());
            // Nothing of the previous value is left: a fresh storage would look the same.
            let mut fresh = Slots::default();
            storage::store_tree(&types, &mut fresh, ptr, ty, &tree).unwrap();
            prop_assert_eq!(&slots.0, &fresh.0);
        }
        storage::delete(&types, &mut slots, ptr, ty).unwrap();
        prop_assert!(slots.0.is_empty(), "{:?}", slots.0);
    }

    /// A copy in memory reads as the value it was made of.
    #[test]
    fn memory_holds_copies(shape in shape(), seed: u64) {
        let mut types = Types::default();
        let ty = intern(&mut types, &shape);
        if types.get(ty).is_tree() {
            let tree = value(&shape, &mut stream(seed));
            let mut memory = Memory::new();
            let ptr = memory.alloc_tree(&types, ty, &tree).unwrap();
            prop_assert_eq!(memory.read_tree(&types, ty, ptr).unwrap(), tree);
            prop_assert!(memory.msize() <= memory.free_pointer().unwrap());
        }
    }
}
