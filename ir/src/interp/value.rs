//! What the interpreter computes with: words, byte strings, deep values, and references into storage and calldata.

use super::arith::{clean, low_mask};
use crate::ids::TypeId;
use crate::layout;
use crate::types::{Type, Types};
use ruint::aliases::U256;
use std::rc::Rc;

/// The value of an expression. A `MemoryRef` is the address of the object, so it is a `Word`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Word(U256),
    Bytes(Rc<[u8]>),
    Tree(Rc<Tree>),
    Storage(StoragePtr),
    Calldata(CalldataPtr),
}

/// A position in storage or transient storage; `offset` counts bytes from the least significant end of the slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StoragePtr {
    pub slot: U256,
    pub offset: u8,
    pub transient: bool,
}

/// Absolute offset into the call's data (for dynamic arrays and bytes: of the first element).
/// `length` means something for dynamic arrays and bytes only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CalldataPtr {
    pub offset: U256,
    pub length: U256,
}

/// A deep value. `List` holds struct fields in order (a placeholder for those that live in storage only) or elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    Word(U256),
    Bytes(Rc<[u8]>),
    List(Vec<Tree>),
}

/// Why the evaluation of an expression or statement does not go on normally.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trap {
    /// The call reverts with this payload.
    Revert(Vec<u8>),
    /// The call reverts without data because its input is malformed; only debugging code says how.
    Malformed(&'static str),
    /// The call reverts with `Panic(code)`.
    Panic(u8),
    /// Also stands for every other exceptional halt of the EVM.
    OutOfGas,
    Unsupported(String),
}

pub type Run<T> = Result<T, Trap>;

pub mod panic_code {
    pub const GENERIC: u8 = 0x00;
    pub const ASSERT: u8 = 0x01;
    pub const OVERFLOW: u8 = 0x11;
    pub const DIVISION_BY_ZERO: u8 = 0x12;
    pub const ENUM_CONVERSION: u8 = 0x21;
    pub const STORAGE_ENCODING: u8 = 0x22;
    pub const EMPTY_POP: u8 = 0x31;
    pub const OUT_OF_BOUNDS: u8 = 0x32;
    pub const OUT_OF_MEMORY: u8 = 0x41;
    pub const INVALID_FUNCTION: u8 = 0x51;
}

/// More elements than any transaction could pay for: loops of the machine beyond this end as it would, out of gas.
pub const MAX_ELEMENTS: usize = 1 << 20;

/// `Panic(code)` as the caller sees it.
pub fn panic_payload(code: u8) -> Vec<u8> {
    let mut out = vec![0x4e, 0x48, 0x7b, 0x71];
    out.extend_from_slice(&U256::from(code).to_be_bytes::<32>());
    out
}

/// `Error(message)` as the caller sees it.
pub fn error_payload(message: &[u8]) -> Vec<u8> {
    let mut out = vec![0x08, 0xc3, 0x79, 0xa0];
    out.extend_from_slice(&U256::from(32).to_be_bytes::<32>());
    out.extend_from_slice(&U256::from(message.len()).to_be_bytes::<32>());
    out.extend_from_slice(message);
    out.resize(4 + 64 + message.len().next_multiple_of(32), 0);
    out
}

impl Trap {
    /// A revert without data, whatever the debugging options.
    pub fn empty() -> Trap {
        Trap::Revert(Vec::new())
    }

    /// With `debug`, malformed input is a revert with a message.
    pub fn explained(self, debug: bool) -> Trap {
        match self {
            Trap::Malformed(message) if debug => Trap::Revert(error_payload(message.as_bytes())),
            other => other,
        }
    }

    /// What a caller gets as return data.
    pub fn payload(&self) -> Vec<u8> {
        match self {
            Trap::Revert(data) => data.clone(),
            Trap::Panic(code) => panic_payload(*code),
            Trap::Malformed(_) | Trap::OutOfGas | Trap::Unsupported(_) => Vec::new(),
        }
    }
}

fn mismatch(wanted: &str, got: &Value) -> Trap {
    let kind = match got {
        Value::Word(_) => "a word",
        Value::Bytes(_) => "bytes",
        Value::Tree(_) => "a tree",
        Value::Storage(_) => "a storage reference",
        Value::Calldata(_) => "a calldata reference",
    };
    Trap::Unsupported(format!("ill-typed IR: {wanted} expected, {kind} found"))
}

impl Value {
    pub fn bool(b: bool) -> Value {
        Value::Word(U256::from(b))
    }

    pub fn bytes(data: impl Into<Rc<[u8]>>) -> Value {
        Value::Bytes(data.into())
    }

    pub fn word(&self) -> Run<U256> {
        match self {
            Value::Word(w) => Ok(*w),
            other => Err(mismatch("a word", other)),
        }
    }

    pub fn as_bool(&self) -> Run<bool> {
        Ok(!self.word()?.is_zero())
    }

    pub fn as_bytes(&self) -> Run<Rc<[u8]>> {
        match self {
            Value::Bytes(b) => Ok(b.clone()),
            other => Err(mismatch("bytes", other)),
        }
    }

    pub fn storage(&self) -> Run<StoragePtr> {
        match self {
            Value::Storage(p) => Ok(*p),
            other => Err(mismatch("a storage reference", other)),
        }
    }

    pub fn calldata(&self) -> Run<CalldataPtr> {
        match self {
            Value::Calldata(p) => Ok(*p),
            other => Err(mismatch("a calldata reference", other)),
        }
    }

    /// The deep value itself; references are not followed (see `abi::Sources::tree`).
    pub fn tree(&self) -> Run<Tree> {
        match self {
            Value::Word(w) => Ok(Tree::Word(*w)),
            Value::Bytes(b) => Ok(Tree::Bytes(b.clone())),
            Value::Tree(t) => Ok((**t).clone()),
            other => Err(mismatch("a deep value", other)),
        }
    }

    /// The zero of a type. References: storage slot 0, the zero slot of memory for dynamic objects
    /// (others are allocated by an explicit `Alloc`), empty calldata.
    pub fn default_of(types: &Types, ty: TypeId) -> Run<Value> {
        Ok(match types.get(ty) {
            Type::StorageRef(_) => {
                Value::Storage(StoragePtr { slot: U256::ZERO, offset: 0, transient: false })
            }
            Type::MemoryRef(to) => {
                let dynamic = matches!(types.get(*to), Type::Bytes | Type::Array { len: None, .. });
                Value::Word(U256::from(if dynamic { layout::ZERO_SLOT } else { 0 }))
            }
            Type::CalldataRef(_) => Value::Calldata(CalldataPtr { offset: U256::ZERO, length: U256::ZERO }),
            _ => Tree::default_of(types, ty)?.into(),
        })
    }
}

impl From<Tree> for Value {
    fn from(tree: Tree) -> Value {
        match tree {
            Tree::Word(w) => Value::Word(w),
            Tree::Bytes(b) => Value::Bytes(b),
            list @ Tree::List(_) => Value::Tree(Rc::new(list)),
        }
    }
}

impl Tree {
    pub fn word(&self) -> Run<U256> {
        match self {
            Tree::Word(w) => Ok(*w),
            _ => Err(Trap::Unsupported("ill-typed IR: a word expected in a deep value".into())),
        }
    }

    pub fn as_bytes(&self) -> Run<&[u8]> {
        match self {
            Tree::Bytes(b) => Ok(b),
            _ => Err(Trap::Unsupported("ill-typed IR: bytes expected in a deep value".into())),
        }
    }

    pub fn list(&self) -> Run<&[Tree]> {
        match self {
            Tree::List(items) => Ok(items),
            _ => Err(Trap::Unsupported("ill-typed IR: a list expected in a deep value".into())),
        }
    }

    pub fn default_of(types: &Types, ty: TypeId) -> Run<Tree> {
        Ok(match types.get(ty) {
            Type::Bytes => Tree::Bytes(Rc::from([])),
            Type::Array { len: None, .. } => Tree::List(Vec::new()),
            Type::Array { elem, len: Some(len) } => {
                Tree::List(vec![Tree::default_of(types, *elem)?; element_count(*len)?])
            }
            Type::Struct(id) => Tree::List(
                types.structs[*id]
                    .fields
                    .iter()
                    .map(|f| Tree::default_of(types, f.ty))
                    .collect::<Run<_>>()?,
            ),
            // Mappings are never part of a deep value: a placeholder keeps the field numbers.
            _ => Tree::Word(U256::ZERO),
        })
    }
}

/// A number of elements the interpreter is ready to go through.
pub fn element_count(length: U256) -> Run<usize> {
    usize::try_from(length).ok().filter(|n| *n <= MAX_ELEMENTS).ok_or(Trap::OutOfGas)
}

/// True if the word is in the range of the scalar type: what strict ABI decoding demands.
pub fn is_valid(types: &Types, ty: TypeId, word: U256) -> bool {
    match types.get(ty) {
        Type::Bool => word <= U256::ONE,
        Type::Enum(id) => word < U256::from(types.enums[*id].members.len()),
        scalar => clean(scalar, word) == word,
    }
}

/// The word at `offset` of `data`; bytes beyond the end are zero.
pub fn word_at(data: &[u8], offset: U256) -> U256 {
    let mut word = [0u8; 32];
    if let Some(tail) = usize::try_from(offset).ok().and_then(|o| data.get(o..)) {
        let n = tail.len().min(32);
        word[..n].copy_from_slice(&tail[..n]);
    }
    U256::from_be_bytes(word)
}

/// How a scalar appears in memory and in ABI data. Only external functions differ: 24 bytes from the left.
pub fn to_memory_word(types: &Types, ty: TypeId, word: U256) -> U256 {
    if matches!(types.get(ty), Type::FnExternal) { word << 64 } else { word }
}

/// The scalar in a word of ABI data. Strict decoding (`None`: revert) rejects words out of the type's range, lenient
/// decoding drops the bits that do not belong to it.
pub fn scalar_from_abi(types: &Types, ty: TypeId, word: U256, strict: bool) -> Option<U256> {
    match types.get(ty) {
        Type::FnExternal if strict && word & low_mask(64) != U256::ZERO => None,
        Type::FnExternal => Some(word >> 64),
        scalar if !strict => Some(clean(scalar, word)),
        _ => Some(word).filter(|w| is_valid(types, ty, *w)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads() {
        assert_eq!(panic_payload(0x11).len(), 36);
        assert_eq!(error_payload(b"").len(), 68);
        assert_eq!(error_payload(b"x").len(), 100);
        assert_eq!(error_payload(&[7; 32]).len(), 100);
        assert_eq!(error_payload(b"ab")[68..71], [b'a', b'b', 0]);
    }

    #[test]
    fn ranges() {
        let mut types = Types::default();
        let i8 = types.intern(Type::Int { bits: 8, signed: true });
        let b2 = types.intern(Type::FixedBytes(2));
        assert!(!is_valid(&types, b2, U256::ONE));
        assert!(is_valid(&types, i8, U256::MAX));
        assert_eq!(word_at(&[1, 2], U256::from(1)), U256::from(2) << 248);
        assert_eq!(word_at(&[1, 2], U256::MAX), U256::ZERO);
    }
}
