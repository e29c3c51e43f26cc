//! Solidity's ABI: encoding of values and decoding into values, byte for byte as solc's code does it.

pub mod decode;
pub mod encode;

use super::calldata::Calldata;
use super::memory::Memory;
use super::storage::{self, WordStore};
use super::value::{Run, Trap, Tree, Value};
use crate::ids::TypeId;
use crate::types::{Type, Types};
use ruint::aliases::U256;

/// Where the references among the arguments of an encoding point.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    pub types: &'a Types,
    pub memory: &'a Memory,
    pub calldata: Calldata<'a>,
    pub storage: &'a dyn WordStore,
    pub transient: &'a dyn WordStore,
}

impl Sources<'_> {
    /// The deep value of a value of type `ty`, references followed.
    pub fn tree(&self, ty: TypeId, value: &Value) -> Run<Tree> {
        match (self.types.get(ty), value) {
            (Type::MemoryRef(to), Value::Word(ptr)) => self.memory.read_tree(self.types, *to, *ptr),
            (Type::CalldataRef(to), Value::Calldata(ptr)) => self.calldata.read_tree(*to, *ptr),
            (Type::StorageRef(to), Value::Storage(ptr)) => {
                let store = if ptr.transient { self.transient } else { self.storage };
                storage::load_tree(self.types, store, *ptr, *to)
            }
            (_, other) => other.tree(),
        }
    }

    /// What an argument of type `ty` contributes to an encoding as `target`: the slot number where a library's
    /// function takes a storage reference, else its deep value.
    fn argument(&self, target: TypeId, ty: TypeId, value: &Value) -> Run<Tree> {
        match (self.types.get(target), value) {
            (Type::StorageRef(_), Value::Storage(ptr)) => Ok(Tree::Word(ptr.slot)),
            _ => self.tree(ty, value),
        }
    }
}

fn padded(length: usize) -> usize {
    length.next_multiple_of(32)
}

fn ill_typed(what: &str) -> Trap {
    Trap::Unsupported(format!("ill-typed IR: {what}"))
}

const WORD: U256 = U256::from_limbs([32, 0, 0, 0]);
