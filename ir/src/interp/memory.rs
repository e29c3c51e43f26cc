//! Memory as solc's code uses it: a flat byte array, objects allocated by bumping the free pointer.

use super::arith::clean;
use super::value::{Run, Trap, Tree, element_count, panic_code, to_memory_word, word_at};
use crate::ids::{StructId, TypeId};
use crate::layout::{self, FIRST_OBJECT, FREE_POINTER, ZERO_SLOT};
use crate::types::{Type, Types};
use ruint::aliases::U256;
use std::cell::Cell;
use std::rc::Rc;

/// More than any block's gas pays for (memory costs grow with the square of its size).
const LIMIT: usize = 64 << 20;
const WORD: U256 = U256::from_limbs([32, 0, 0, 0]);
/// Sizes and addresses beyond this panic instead of running out of gas.
const MAX_SIZE: U256 = U256::from_limbs([u64::MAX, 0, 0, 0]);

#[derive(Clone, Debug)]
pub struct Memory {
    data: Vec<u8>,
    /// Bytes touched so far, by reads too: what `msize` tells.
    touched: Cell<usize>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory::new()
    }
}

impl Memory {
    /// Memory at the start of a call, after solc's prologue.
    pub fn new() -> Memory {
        let mut data = vec![0; 0x60];
        data[FREE_POINTER as usize + 31] = FIRST_OBJECT as u8;
        Memory { data, touched: Cell::new(0x60) }
    }

    pub fn msize(&self) -> U256 {
        U256::from(self.touched.get())
    }

    /// The range as indices, counted as touched. An empty range touches nothing and may start anywhere.
    fn range(&self, offset: U256, length: U256) -> Run<std::ops::Range<usize>> {
        if length.is_zero() {
            return Ok(0..0);
        }
        let end = offset.checked_add(length).and_then(|end| usize::try_from(end).ok());
        let end = end.filter(|end| *end <= LIMIT).ok_or(Trap::OutOfGas)?;
        self.touched.set(self.touched.get().max(end.next_multiple_of(32)));
        Ok(end - length.to::<usize>()..end)
    }

    fn range_mut(&mut self, offset: U256, length: U256) -> Run<&mut [u8]> {
        let range = self.range(offset, length)?;
        if range.end > self.data.len() {
            self.data.resize(range.end.next_multiple_of(32), 0);
        }
        Ok(&mut self.data[range])
    }

    pub fn load(&self, offset: U256) -> Run<U256> {
        let range = self.range(offset, WORD)?;
        Ok(word_at(&self.data, U256::from(range.start)))
    }

    pub fn store(&mut self, offset: U256, word: U256) -> Run<()> {
        self.range_mut(offset, WORD)?.copy_from_slice(&word.to_be_bytes::<32>());
        Ok(())
    }

    pub fn store_byte(&mut self, offset: U256, byte: u8) -> Run<()> {
        self.range_mut(offset, U256::ONE)?[0] = byte;
        Ok(())
    }

    pub fn load_bytes(&self, offset: U256, length: U256) -> Run<Vec<u8>> {
        let range = self.range(offset, length)?;
        let start = range.start.min(self.data.len());
        let end = range.end.min(self.data.len());
        let mut out = self.data[start..end].to_vec();
        out.resize(range.len(), 0);
        Ok(out)
    }

    pub fn store_bytes(&mut self, offset: U256, data: &[u8]) -> Run<()> {
        self.range_mut(offset, U256::from(data.len()))?.copy_from_slice(data);
        Ok(())
    }

    /// Copies `length` bytes of `data` from `start` on; beyond its end there are zeros (`calldatacopy` and its kind).
    pub fn copy_from(&mut self, offset: U256, data: &[u8], start: U256, length: U256) -> Run<()> {
        let target = self.range_mut(offset, length)?;
        let source = usize::try_from(start).ok().and_then(|s| data.get(s..)).unwrap_or(&[]);
        let n = source.len().min(target.len());
        target[..n].copy_from_slice(&source[..n]);
        target[n..].fill(0);
        Ok(())
    }

    /// `mcopy`.
    pub fn copy_within(&mut self, dst: U256, src: U256, length: U256) -> Run<()> {
        let data = self.load_bytes(src, length)?;
        self.store_bytes(dst, &data)
    }

    // ---- objects ----

    pub fn free_pointer(&self) -> Run<U256> {
        self.load(U256::from(FREE_POINTER))
    }

    /// Reserves `size` bytes, rounded up to words, without touching them.
    pub fn alloc(&mut self, size: U256) -> Run<U256> {
        let ptr = self.free_pointer()?;
        let rounded = size.wrapping_add(U256::from(31)) & !U256::from(31);
        let end = ptr.wrapping_add(rounded);
        if end > MAX_SIZE || end < ptr {
            return Err(Trap::Panic(panic_code::OUT_OF_MEMORY));
        }
        self.store(U256::from(FREE_POINTER), end)?;
        Ok(ptr)
    }

    /// Reserves a dynamic array or bytes and writes its length; the contents are left as they are.
    pub fn alloc_dynamic(&mut self, types: &Types, ty: TypeId, length: U256) -> Run<U256> {
        if length > MAX_SIZE {
            return Err(Trap::Panic(panic_code::OUT_OF_MEMORY));
        }
        let contents = match types.get(ty) {
            Type::Bytes => length,
            _ => length * WORD,
        };
        let ptr = self.alloc(contents + WORD)?;
        self.store(ptr, length)?;
        Ok(ptr)
    }

    /// `Bytes` contents as a new object.
    pub fn alloc_bytes(&mut self, contents: &[u8]) -> Run<U256> {
        let length = U256::from(contents.len());
        let ptr = self.alloc(length + WORD)?;
        self.store(ptr, length)?;
        self.fill_bytes(ptr, contents)?;
        Ok(ptr)
    }

    /// Writes contents and padding of a bytes object whose length is set.
    pub fn fill_bytes(&mut self, ptr: U256, contents: &[u8]) -> Run<()> {
        let padded = U256::from(contents.len().next_multiple_of(32));
        self.copy_from(ptr + WORD, contents, U256::ZERO, padded)
    }

    /// The zero value of a type as an element or field holds it: a word, or the address of a new object.
    fn zero_word(&mut self, types: &Types, ty: TypeId) -> Run<U256> {
        match types.get(ty) {
            Type::Bytes | Type::Array { len: None, .. } => Ok(U256::from(ZERO_SLOT)),
            Type::Array { .. } | Type::Struct(_) => self.alloc_zero(types, ty),
            _ => Ok(U256::ZERO),
        }
    }

    /// A zero-initialised object. Dynamic ones are the zero slot, which nobody allocates.
    pub fn alloc_zero(&mut self, types: &Types, ty: TypeId) -> Run<U256> {
        match types.get(ty) {
            Type::Struct(id) => {
                let ptr = self.alloc(U256::from(layout::memory_struct_size(types, *id)))?;
                let mut at = ptr;
                for field in &types.structs[*id].fields {
                    if layout::lives_in_memory(types, field.ty) {
                        let word = self.zero_word(types, field.ty)?;
                        self.store(at, word)?;
                        at += WORD;
                    }
                }
                Ok(ptr)
            }
            Type::Array { elem, len: Some(len) } => {
                if *len > MAX_SIZE {
                    return Err(Trap::Panic(panic_code::OUT_OF_MEMORY));
                }
                let ptr = self.alloc(len * WORD)?;
                self.zero_elements(types, *elem, ptr, *len)?;
                Ok(ptr)
            }
            _ => self.zero_word(types, ty),
        }
    }

    /// `new T[](length)` or `new bytes(length)`.
    pub fn alloc_array(&mut self, types: &Types, ty: TypeId, length: U256) -> Run<U256> {
        let ptr = self.alloc_dynamic(types, ty, length)?;
        match types.get(ty) {
            Type::Array { elem, .. } => self.zero_elements(types, *elem, ptr + WORD, length)?,
            _ => self.copy_from(ptr + WORD, &[], U256::ZERO, (length + U256::from(31)) & !U256::from(31))?,
        }
        Ok(ptr)
    }

    fn zero_elements(&mut self, types: &Types, elem: TypeId, first: U256, count: U256) -> Run<()> {
        // Charges the memory before a long loop.
        self.copy_from(first, &[], U256::ZERO, count * WORD)?;
        if types.get(elem).is_scalar() {
            return Ok(());
        }
        for i in 0..element_count(count)? {
            let word = self.zero_word(types, elem)?;
            self.store(first + U256::from(i) * WORD, word)?;
        }
        Ok(())
    }

    /// A deep value as a new object; what contains others is allocated before them.
    pub fn alloc_tree(&mut self, types: &Types, ty: TypeId, tree: &Tree) -> Run<U256> {
        match types.get(ty) {
            Type::Bytes => self.alloc_bytes(tree.as_bytes()?),
            Type::Array { elem, len } => {
                let items = tree.list()?;
                let (ptr, first) = match len {
                    None => {
                        let ptr = self.alloc_dynamic(types, ty, U256::from(items.len()))?;
                        (ptr, ptr + WORD)
                    }
                    Some(len) => {
                        let ptr = self.alloc(len * WORD)?;
                        (ptr, ptr)
                    }
                };
                for (i, item) in items.iter().enumerate() {
                    let word = self.tree_word(types, *elem, item)?;
                    self.store(first + U256::from(i) * WORD, word)?;
                }
                // A shorter array becomes a longer fixed one: the rest is zero.
                for i in items.len()..len.map_or(Ok(0), element_count)? {
                    let word = self.zero_word(types, *elem)?;
                    self.store(first + U256::from(i) * WORD, word)?;
                }
                Ok(ptr)
            }
            Type::Struct(id) => {
                let ptr = self.alloc(U256::from(layout::memory_struct_size(types, *id)))?;
                let mut at = ptr;
                for (field, item) in types.structs[*id].fields.iter().zip(tree.list()?) {
                    if layout::lives_in_memory(types, field.ty) {
                        let word = self.tree_word(types, field.ty, item)?;
                        self.store(at, word)?;
                        at += WORD;
                    }
                }
                Ok(ptr)
            }
            _ => Err(Trap::Unsupported("ill-typed IR: a scalar allocated in memory".into())),
        }
    }

    fn tree_word(&mut self, types: &Types, ty: TypeId, tree: &Tree) -> Run<U256> {
        if types.get(ty).is_tree() {
            self.alloc_tree(types, ty, tree)
        } else {
            Ok(to_memory_word(types, ty, tree.word()?))
        }
    }

    /// The deep value of the object of type `ty` at `ptr`.
    pub fn read_tree(&self, types: &Types, ty: TypeId, ptr: U256) -> Run<Tree> {
        match types.get(ty) {
            Type::Bytes => Ok(Tree::Bytes(self.read_bytes(ptr)?)),
            Type::Array { elem, len } => {
                let (first, length) = match len {
                    None => (ptr.wrapping_add(WORD), self.load(ptr)?),
                    Some(len) => (ptr, *len),
                };
                let items = (0..element_count(length)?)
                    .map(|i| self.read_word_tree(types, *elem, first.wrapping_add(U256::from(i) * WORD)));
                Ok(Tree::List(items.collect::<Run<_>>()?))
            }
            Type::Struct(id) => {
                let mut at = ptr;
                let mut items = Vec::new();
                for field in &types.structs[*id].fields {
                    if layout::lives_in_memory(types, field.ty) {
                        items.push(self.read_word_tree(types, field.ty, at)?);
                        at = at.wrapping_add(WORD);
                    } else {
                        items.push(Tree::default_of(types, field.ty)?);
                    }
                }
                Ok(Tree::List(items))
            }
            _ => Err(Trap::Unsupported("ill-typed IR: a scalar behind a memory reference".into())),
        }
    }

    fn read_word_tree(&self, types: &Types, ty: TypeId, at: U256) -> Run<Tree> {
        if types.get(ty).is_tree() {
            self.read_tree(types, ty, self.load(at)?)
        } else {
            Ok(Tree::Word(self.load_scalar(types, ty, at)?))
        }
    }

    /// Contents of the bytes object at `ptr`.
    pub fn read_bytes(&self, ptr: U256) -> Run<Rc<[u8]>> {
        Ok(self.load_bytes(ptr.wrapping_add(WORD), self.load(ptr)?)?.into())
    }

    /// Length of the array or bytes object at `ptr`.
    pub fn length(&self, types: &Types, ty: TypeId, ptr: U256) -> Run<U256> {
        match types.get(ty) {
            Type::Array { len: Some(len), .. } => Ok(*len),
            _ => self.load(ptr),
        }
    }

    /// The scalar or reference held in the word at `at`.
    pub fn load_scalar(&self, types: &Types, ty: TypeId, at: U256) -> Run<U256> {
        let word = self.load(at)?;
        match types.get(ty) {
            Type::FnExternal => Ok(word >> 64),
            Type::Enum(id) if word >= U256::from(types.enums[*id].members.len()) => {
                Err(Trap::Panic(panic_code::ENUM_CONVERSION))
            }
            scalar => Ok(clean(scalar, word)),
        }
    }

    pub fn store_scalar(&mut self, types: &Types, ty: TypeId, at: U256, word: U256) -> Run<()> {
        self.store(at, to_memory_word(types, ty, word))
    }

    /// Where element `index` of the array (or byte of the bytes) of type `ty` at `ptr` is.
    pub fn element_address(types: &Types, ty: TypeId, ptr: U256, index: U256) -> U256 {
        match types.get(ty) {
            Type::Bytes => ptr.wrapping_add(WORD).wrapping_add(index),
            Type::Array { len: Some(_), .. } => ptr.wrapping_add(index.wrapping_mul(WORD)),
            _ => ptr.wrapping_add(WORD).wrapping_add(index.wrapping_mul(WORD)),
        }
    }

    pub fn field_address(types: &Types, id: StructId, ptr: U256, index: usize) -> U256 {
        ptr.wrapping_add(U256::from(layout::memory_field_offset(types, id, index)))
    }

    /// Reads an element of the object of type `ty` at `ptr`; references to inner objects are words.
    pub fn load_element(&self, types: &Types, ty: TypeId, ptr: U256, index: U256) -> Run<U256> {
        let at = Self::element_address(types, ty, ptr, index);
        match types.get(ty) {
            Type::Array { elem, .. } => self.load_scalar(types, *elem, at),
            _ => Ok(U256::from(self.load_bytes(at, U256::ONE)?[0]) << 248),
        }
    }

    pub fn store_element(
        &mut self,
        types: &Types,
        ty: TypeId,
        ptr: U256,
        index: U256,
        word: U256,
    ) -> Run<()> {
        let at = Self::element_address(types, ty, ptr, index);
        match types.get(ty) {
            Type::Array { elem, .. } => self.store_scalar(types, *elem, at, word),
            _ => self.store_byte(at, word.byte(31)),
        }
    }

    pub fn load_field(&self, types: &Types, id: StructId, ptr: U256, index: usize) -> Run<U256> {
        let at = Self::field_address(types, id, ptr, index);
        self.load_scalar(types, types.structs[id].fields[index].ty, at)
    }

    pub fn store_field(
        &mut self,
        types: &Types,
        id: StructId,
        ptr: U256,
        index: usize,
        word: U256,
    ) -> Run<()> {
        let at = Self::field_address(types, id, ptr, index);
        self.store_scalar(types, types.structs[id].fields[index].ty, at, word)
    }
}
