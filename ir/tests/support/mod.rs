//! Random types and values for tests of data in storage, memory and ABI form.

use hornet_ir::U256;
use hornet_ir::ids::TypeId;
use hornet_ir::interp::storage::WordStore;
use hornet_ir::interp::value::Tree;
use hornet_ir::types::{EnumDef, Field, StructDef, Type, Types};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Default, Clone)]
pub struct Slots(pub BTreeMap<U256, U256>);

impl WordStore for Slots {
    fn load(&self, slot: U256) -> U256 {
        self.0.get(&slot).copied().unwrap_or(U256::ZERO)
    }
    fn store(&mut self, slot: U256, value: U256) {
        if value.is_zero() {
            self.0.remove(&slot);
        } else {
            self.0.insert(slot, value);
        }
    }
}

#[derive(Clone, Debug)]
pub enum Shape {
    Scalar(Type),
    Enum,
    Bytes,
    List(Box<Shape>),
    Fixed(Box<Shape>, u64),
    Struct(Vec<Shape>),
}

pub fn shape() -> impl Strategy<Value = Shape> {
    let scalar = prop_oneof![
        Just(Type::Bool),
        (1u16..=32, any::<bool>()).prop_map(|(n, signed)| Type::Int { bits: 8 * n, signed }),
        (1u8..=32).prop_map(Type::FixedBytes),
        Just(Type::Address),
        Just(Type::FnExternal),
    ];
    let leaf =
        prop_oneof![6 => scalar.prop_map(Shape::Scalar), 1 => Just(Shape::Enum), 2 => Just(Shape::Bytes)];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|s| Shape::List(Box::new(s))),
            (inner.clone(), 1u64..5).prop_map(|(s, n)| Shape::Fixed(Box::new(s), n)),
            prop::collection::vec(inner, 1..4).prop_map(Shape::Struct),
        ]
    })
}

pub fn intern(types: &mut Types, shape: &Shape) -> TypeId {
    let ty = match shape {
        Shape::Scalar(ty) => ty.clone(),
        Shape::Enum => {
            let members = ["A", "B", "C"].map(String::from).to_vec();
            Type::Enum(types.enums.push(EnumDef { name: "E".into(), members }))
        }
        Shape::Bytes => Type::Bytes,
        Shape::List(s) => Type::Array { elem: intern(types, s), len: None },
        Shape::Fixed(s, n) => Type::Array { elem: intern(types, s), len: Some(U256::from(*n)) },
        Shape::Struct(shapes) => {
            let fields = shapes.iter().map(|s| Field { name: "f".into(), ty: intern(types, s) }).collect();
            Type::Struct(types.structs.push(StructDef { name: "S".into(), fields }))
        }
    };
    types.intern(ty)
}

/// A value of the shape out of a stream of random bytes.
pub fn value(shape: &Shape, random: &mut impl FnMut() -> u8) -> Tree {
    match shape {
        Shape::Scalar(ty) => {
            let raw: Vec<u8> = (0..32).map(|_| random()).collect();
            Tree::Word(hornet_ir::interp::arith::clean(ty, U256::from_be_slice(&raw)))
        }
        Shape::Enum => Tree::Word(U256::from(random() % 3)),
        Shape::Bytes => {
            let length = [0, 1, 31, 32, 33, 63, 64, 65][usize::from(random() % 8)];
            Tree::Bytes((0..length).map(|_| random()).collect())
        }
        Shape::List(s) => {
            let length = random() % 5;
            Tree::List((0..length).map(|_| value(s, random)).collect())
        }
        Shape::Fixed(s, n) => Tree::List((0..*n).map(|_| value(s, random)).collect()),
        Shape::Struct(shapes) => Tree::List(shapes.iter().map(|s| value(s, random)).collect()),
    }
}

pub fn stream(seed: u64) -> impl FnMut() -> u8 {
    let mut state = seed | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    }
}
