//! Raw access to memory. Objects are typed and apart from each other only as long as nobody writes where they may be:
//! from then on [`Var::RawMemory`] says that whatever is read from memory can be anything.

use crate::context::{Context, Res, WORD};
use crate::state::{State, Var};
use crate::tree::{Key, Tree};
use hornet_ir::ids::TypeId;
use hornet_ir::layout::{memory_field_offset, packed_bytes};
use hornet_ir::types::Type;
use hornet_smt::term::{Op, TermId};

/// Where in memory an instruction works.
#[derive(Clone, Debug)]
pub(crate) enum Address {
    /// In the first 64 bytes, which nothing else uses for longer than a moment.
    Scratch(u64),
    /// Where the machine finds the beginning of free memory.
    FreePointer,
    /// At or after the beginning of free memory: new objects there are written as a whole before they are read.
    Free,
    /// So many bytes after the beginning of an object.
    Object(TypeId, TermId, u64),
    Anywhere,
}

/// A word of an object.
enum Word {
    Length,
    Member(Key, TypeId),
    /// Bytes of a byte string, from this position on.
    Bytes(u64),
    Other,
}

impl Context<'_> {
    /// Where an object is: an unknown function of its reference.
    pub(crate) fn address_of(&mut self, ty: TypeId, reference: TermId) -> TermId {
        let sort = self.word_sort();
        let params = vec![self.terms.sort(reference).clone()];
        let function = self.terms.function(&address_name(ty), params, sort);
        let address = self.terms.apply(&function, &[reference]);
        let fact = self.is_word(address);
        self.fact(fact);
        address
    }

    /// The object of type `ty` that a number is the address of, if it was made of one.
    pub(crate) fn object_at(&self, ty: TypeId, address: TermId) -> Option<TermId> {
        match self.terms.op(address) {
            Op::Apply(function) if *function.name == *address_name(ty) => Some(self.terms.args(address)[0]),
            _ => None,
        }
    }

    pub(crate) fn memory_address(&mut self, state: &State, address: TermId) -> Res<Address> {
        let (base, offset) = self.base_and_offset(address);
        let Ok(offset) = u64::try_from(offset) else { return Ok(Address::Anywhere) };
        let Some(base) = base else {
            return Ok(match offset {
                0..64 => Address::Scratch(offset),
                64 => Address::FreePointer,
                _ => Address::Anywhere,
            });
        };
        if let Some(next) = self.free_pointers.get(&base).copied() {
            let is_free = self.get(state, Var::NextRef)?[0] == next;
            return Ok(if is_free { Address::Free } else { Address::Anywhere });
        }
        if let (Op::Apply(function), &[reference]) = (self.terms.op(base), self.terms.args(base))
            && let Some(ty) = function.name.strip_prefix(ADDRESS)
            && let Ok(ty) = ty.parse()
        {
            return Ok(Address::Object(TypeId(ty), reference, offset));
        }
        Ok(Address::Anywhere)
    }

    /// Which part of an object is so many bytes after its beginning.
    fn word_of_object(&mut self, ty: TypeId, offset: u64) -> Word {
        let index = |cx: &mut Self, offset: u64| Key::Index([cx.word(offset / 32)].into());
        match self.program.types.get(ty).clone() {
            Type::Struct(id) => {
                let fields = self.field_types(id);
                let found = (0..fields.len()).find(|i| {
                    !matches!(self.program.types.get(fields[*i]), Type::Mapping { .. })
                        && memory_field_offset(&self.program.types, id, *i) == offset
                });
                found.map_or(Word::Other, |i| Word::Member(Key::Field(i as u32), fields[i]))
            }
            Type::Array { len: None, .. } | Type::Bytes if offset == 0 => Word::Length,
            Type::Bytes if offset >= 32 => Word::Bytes(offset - 32),
            Type::Array { elem, len: None } if offset.is_multiple_of(32) => {
                Word::Member(index(self, offset - 32), elem)
            }
            Type::Array { elem, len: Some(_) } if offset.is_multiple_of(32) => {
                Word::Member(index(self, offset), elem)
            }
            _ => Word::Other,
        }
    }

    /// Whether a member is there: elements of arrays up to the length.
    fn has_member(&mut self, state: &State, ty: TypeId, reference: TermId, key: &Key) -> Res<TermId> {
        let (Key::Index(index), Type::Array { len, .. }) = (key, self.program.types.get(ty).clone()) else {
            return Ok(self.terms.bool(true));
        };
        let length = match len {
            Some(len) => self.constant(&WORD, len),
            None => self.object(state, ty, reference)?[0],
        };
        let zero = self.word(0);
        Ok(self.in_bounds(index[0], zero, length))
    }

    /// `mload`.
    pub(crate) fn raw_load(&mut self, state: &State, address: &Address) -> Res<TermId> {
        let anything = self.any_word();
        let (ty, reference, offset) = match address {
            Address::FreePointer => {
                if self.is_raw(state)? == Some(false) {
                    let next = self.get(state, Var::NextRef)?[0];
                    self.free_pointers.insert(anything, next);
                }
                return Ok(anything);
            }
            Address::Object(ty, reference, offset) => (*ty, *reference, *offset),
            Address::Scratch(_) | Address::Free | Address::Anywhere => return Ok(anything),
        };
        let (there, value) = match self.word_of_object(ty, offset) {
            Word::Length => return Ok(self.object(state, ty, reference)?[0]),
            Word::Member(key, member) => {
                let there = self.has_member(state, ty, reference, &key)?;
                if packed_bytes(&self.program.types, member) < 32
                    && (self.wild.unclean_memory || self.is_raw(state)? != Some(false))
                {
                    return Ok(anything);
                }
                let value = self.load_member(state, ty, reference, &key)?;
                (there, self.member_word(member, &value))
            }
            Word::Bytes(at) => {
                let bytes = self.object(state, ty, reference)?;
                let (start, size) = (self.word(at), self.word(32));
                let last = self.word(at + 31);
                let there = self.in_bounds(last, start, bytes[0]);
                let part = self.slice(&bytes, start, size);
                let part = self.leading_bytes(&part, 32);
                let ty = Type::FixedBytes(32);
                (there, Some(self.ints.cast(&mut self.terms, &ty, &WORD, part)))
            }
            Word::Other => return Ok(anything),
        };
        Ok(value.map_or(anything, |value| self.terms.ite(there, value, anything)))
    }

    /// A member of an object as the machine holds it.
    fn member_word(&mut self, ty: TypeId, value: &[TermId]) -> Option<TermId> {
        match (self.program.types.get(ty).clone(), value) {
            (t, &[value]) if t.is_scalar() => Some(self.word_of(ty, value)),
            (t, &[reference]) if t.is_tree() => Some(self.address_of(ty, reference)),
            _ => None,
        }
    }

    /// `mstore`.
    pub fn memory_store(&mut self, state: &mut State, address: TermId, value: TermId) -> Res<()> {
        let (ty, reference, offset) = match self.memory_address(state, address)? {
            Address::Scratch(at) if at <= 32 => return Ok(()),
            Address::Free => return Ok(()),
            // The beginning of free memory moves on.
            Address::FreePointer if matches!(self.memory_address(state, value)?, Address::Free) => {
                return Ok(());
            }
            Address::Object(ty, reference, offset) => (ty, reference, offset),
            Address::Scratch(_) | Address::FreePointer | Address::Anywhere => {
                self.spoil_memory(state);
                return Ok(());
            }
        };
        match self.word_of_object(ty, offset) {
            Word::Member(key, member) if self.fills_word(member) => {
                let there = self.has_member(state, ty, reference, &key)?;
                let value = self.value_of_word(member, value);
                self.store_member(state, ty, reference, &key, &[value].into())?;
                self.spoil_memory_unless(state, there)
            }
            // Arrays can be made shorter.
            Word::Length => {
                let object = self.object(state, ty, reference)?;
                let zero = self.word(0);
                let (shorter, same) =
                    (self.in_bounds(value, zero, object[0]), self.terms.eq(value, object[0]));
                let fits = self.terms.or(shorter, same);
                let cut = self.shortened(ty, &object, value)?;
                self.write_object(state, ty, reference, &cut)?;
                self.spoil_memory_unless(state, fits)
            }
            Word::Member(..) | Word::Bytes(_) | Word::Other => {
                self.spoil_memory(state);
                Ok(())
            }
        }
    }

    /// An array in memory with another length, and nothing beyond it: that is what copies of it have there.
    fn shortened(&mut self, ty: TypeId, object: &Tree, length: TermId) -> Res<Tree> {
        let shape = self.object_shape(ty)?;
        let mut leaves = vec![length];
        for (leaf, data) in shape.iter().zip(object.iter()).skip(1) {
            let zero = self.blank_element(leaf);
            leaves.push(self.cut_off(*data, object[0], length, zero));
        }
        Ok(leaves.into())
    }

    /// Any bytes are written from an address on; one of them if no length is given.
    pub fn memory_copy(&mut self, state: &mut State, address: TermId, length: Option<TermId>) -> Res<()> {
        let length = length.map_or(Some(1), |length| self.known_word(length));
        match (self.memory_address(state, address)?, length) {
            (_, Some(0)) | (Address::Free, _) => {}
            (Address::Scratch(at), Some(n)) if n <= 64 - at => {}
            _ => self.spoil_memory(state),
        }
        Ok(())
    }

    /// From here on, nothing is known of memory.
    pub fn spoil_memory(&mut self, state: &mut State) {
        let always = self.terms.bool(true);
        state.set(Var::RawMemory, [always].into());
    }

    fn spoil_memory_unless(&mut self, state: &mut State, fine: TermId) -> Res<()> {
        let before = self.get(state, Var::RawMemory)?[0];
        let spoiled = self.terms.not(fine);
        let after = self.terms.or(before, spoiled);
        state.set(Var::RawMemory, [after].into());
        Ok(())
    }

    /// Whether memory may hold anything, where that is plain.
    pub fn is_raw(&mut self, state: &State) -> Res<Option<bool>> {
        let raw = self.get(state, Var::RawMemory)?[0];
        Ok(self.terms.as_bool(raw))
    }
}

const ADDRESS: &str = "address.";

fn address_name(ty: TypeId) -> String {
    format!("{ADDRESS}{}", ty.0)
}
