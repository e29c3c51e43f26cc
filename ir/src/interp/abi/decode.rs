//! `abi.decode`, parameters of entry points, results of calls: with the checks, their order and their failures
//! of solc's decoders (`strict` is ABI coder v2).

use super::{WORD, ill_typed};
use crate::ids::{StructId, TypeId};
use crate::interp::calldata::{MAX_LENGTH, slt};
use crate::interp::memory::Memory;
use crate::interp::value::{
    CalldataPtr, Run, StoragePtr, Trap, Value, element_count, scalar_from_abi, word_at,
};
use crate::layout;
use crate::types::{Type, Types};
use ruint::aliases::U256;

/// Coder v1 takes larger offsets and lengths for nonsense.
const V1_LIMIT: U256 = U256::from_limbs([1 << 32, 0, 0, 0]);

/// Decodes the tuple that starts at byte `start` of `data`. Trees, bare or as `MemoryRef`, are allocated in memory;
/// `CalldataRef` gives absolute positions in `data`, which is the call's data then; `StorageRef` a slot.
pub fn decode(
    types: &Types,
    strict: bool,
    data: &[u8],
    start: usize,
    tys: &[TypeId],
    memory: &mut Memory,
) -> Run<Vec<Value>> {
    let mut decoder = Decoder { types, strict, data, end: U256::from(data.len()), memory };
    decoder.tuple(U256::from(start), tys)
}

struct Decoder<'a> {
    types: &'a Types,
    strict: bool,
    data: &'a [u8],
    end: U256,
    memory: &'a mut Memory,
}

fn check(ok: bool, fault: &'static str) -> Run<()> {
    if ok { Ok(()) } else { Err(Trap::Malformed(fault)) }
}

const ARRAY_OFFSET: &str = "ABI decoding: invalid calldata array offset";
const ARRAY_LENGTH: &str = "ABI decoding: invalid calldata array length";
const ARRAY_STRIDE: &str = "ABI decoding: invalid calldata array stride";
const STRUCT_SHORT: &str = "ABI decoding: struct data too short";

impl Decoder<'_> {
    fn load(&self, at: U256) -> U256 {
        word_at(self.data, at)
    }

    fn tuple(&mut self, start: U256, tys: &[TypeId]) -> Run<Vec<Value>> {
        let heads = layout::abi_heads_size(self.types, tys.iter().copied());
        let short = if self.strict { "ABI decoding: tuple data too short" } else { "Calldata too short" };
        check(!slt(self.end.wrapping_sub(start), heads), short)?;
        let mut head = start;
        let mut values = Vec::with_capacity(tys.len());
        for &ty in tys {
            values.push(self.member(ty, start, head, "ABI decoding: invalid tuple offset")?);
            head = head.wrapping_add(layout::abi_head_size(self.types, ty));
        }
        Ok(values)
    }

    /// The value whose head is at `head` of a tuple that starts at `base`.
    fn member(&mut self, ty: TypeId, base: U256, head: U256, fault: &'static str) -> Run<Value> {
        if !layout::is_dynamic_abi(self.types, ty) {
            return self.value(ty, head);
        }
        let offset = self.load(head);
        check(offset <= if self.strict { MAX_LENGTH } else { V1_LIMIT }, fault)?;
        self.value(ty, base.wrapping_add(offset))
    }

    fn value(&mut self, ty: TypeId, at: U256) -> Run<Value> {
        match self.types.get(ty) {
            Type::MemoryRef(to) => self.object(*to, at).map(Value::Word),
            Type::CalldataRef(to) => self.reference(*to, at).map(Value::Calldata),
            Type::StorageRef(_) => {
                Ok(Value::Storage(StoragePtr { slot: self.load(at), offset: 0, transient: false }))
            }
            Type::Bytes | Type::Array { .. } | Type::Struct(_) => self.object(ty, at).map(Value::Word),
            _ => self.scalar(ty, at).map(Value::Word),
        }
    }

    fn scalar(&self, ty: TypeId, at: U256) -> Run<U256> {
        scalar_from_abi(self.types, ty, self.load(at), self.strict).ok_or(Trap::empty())
    }

    /// A field or element as a word of the memory object that contains it.
    fn word(&mut self, ty: TypeId, base: U256, head: U256, fault: &'static str) -> Run<U256> {
        self.member(ty, base, head, fault)?.word()
    }

    // ---- into memory ----

    fn object(&mut self, ty: TypeId, at: U256) -> Run<U256> {
        match self.types.get(ty) {
            Type::Bytes => {
                let length = self.dynamic_length(at)?;
                self.bytes(ty, at.wrapping_add(WORD), length)
            }
            Type::Array { elem, len: None } => {
                let length = self.dynamic_length(at)?;
                self.v1_room(ty, at, length)?;
                let ptr = self.memory.alloc_dynamic(self.types, ty, length)?;
                self.elements(*elem, at.wrapping_add(WORD), length, ptr + WORD)?;
                Ok(ptr)
            }
            Type::Array { elem, len: Some(length) } => {
                check(slt(at.wrapping_add(U256::from(31)), self.end) || !self.strict, ARRAY_OFFSET)?;
                let ptr = self.memory.alloc(length.wrapping_mul(WORD))?;
                self.elements(*elem, at, *length, ptr)?;
                Ok(ptr)
            }
            Type::Struct(id) => self.structure(*id, ty, at),
            _ => Err(ill_typed("a scalar decoded as an object")),
        }
    }

    /// The length word at `at`, which has to be inside the data.
    fn dynamic_length(&self, at: U256) -> Run<U256> {
        check(slt(at.wrapping_add(U256::from(31)), self.end), ARRAY_OFFSET)?;
        Ok(self.load(at))
    }

    /// Coder v1 looks at length and room before it allocates anything.
    fn v1_room(&self, ty: TypeId, at: U256, length: U256) -> Run<()> {
        if self.strict {
            return Ok(());
        }
        check(length <= V1_LIMIT, ARRAY_LENGTH)?;
        let size = length.wrapping_mul(layout::abi_stride(self.types, ty));
        check(at.wrapping_add(WORD).wrapping_add(size) <= self.end, ARRAY_STRIDE)
    }

    fn bytes(&mut self, ty: TypeId, first: U256, length: U256) -> Run<U256> {
        self.v1_room(ty, first.wrapping_sub(WORD), length)?;
        let ptr = self.memory.alloc_dynamic(self.types, ty, length)?;
        check(first.wrapping_add(length) <= self.end, "ABI decoding: invalid byte array length")?;
        let from = first.to::<usize>();
        let contents = &self.data[from..from + length.to::<usize>()];
        self.memory.fill_bytes(ptr, contents)?;
        Ok(ptr)
    }

    fn elements(&mut self, elem: TypeId, first: U256, count: U256, mut target: U256) -> Run<()> {
        let stride = layout::abi_head_size(self.types, elem);
        check(first.wrapping_add(count.wrapping_mul(stride)) <= self.end, ARRAY_STRIDE)?;
        let mut head = first;
        for _ in 0..element_count(count)? {
            let word = self.word(elem, first, head, ARRAY_OFFSET)?;
            self.memory.store_scalar(self.types, elem, target, word)?;
            head = head.wrapping_add(stride);
            target += WORD;
        }
        Ok(())
    }

    fn structure(&mut self, id: StructId, ty: TypeId, at: U256) -> Run<U256> {
        let types = self.types;
        check(!slt(self.end.wrapping_sub(at), layout::abi_min_size(types, ty)), STRUCT_SHORT)?;
        let ptr = self.memory.alloc(U256::from(layout::memory_struct_size(types, id)))?;
        let mut head = at;
        for (i, field) in types.structs[id].fields.iter().enumerate() {
            let word = self.word(field.ty, at, head, "ABI decoding: invalid struct offset")?;
            self.memory.store_field(types, id, ptr, i, word)?;
            head = head.wrapping_add(layout::abi_head_size(types, field.ty));
        }
        Ok(ptr)
    }

    // ---- references into calldata ----

    fn reference(&mut self, ty: TypeId, at: U256) -> Run<CalldataPtr> {
        let types = self.types;
        match types.get(ty) {
            Type::Array { len: Some(length), .. } => {
                let size = length.wrapping_mul(layout::abi_stride(types, ty));
                check(at.wrapping_add(size) <= self.end, ARRAY_STRIDE)?;
                Ok(CalldataPtr { offset: at, length: *length })
            }
            Type::Struct(_) => {
                let short = slt(self.end.wrapping_sub(at), layout::abi_min_size(types, ty));
                check(!short, "ABI decoding: struct calldata too short")?;
                Ok(CalldataPtr { offset: at, length: U256::ZERO })
            }
            _ => {
                let length = self.dynamic_length(at)?;
                check(length <= if self.strict { MAX_LENGTH } else { V1_LIMIT }, ARRAY_LENGTH)?;
                let offset = at.wrapping_add(WORD);
                let size = length.wrapping_mul(layout::abi_stride(types, ty));
                check(offset.wrapping_add(size) <= self.end, ARRAY_STRIDE)?;
                Ok(CalldataPtr { offset, length })
            }
        }
    }
}
