//! How long encodings are, and where in them single words stand.

use crate::context::{Context, WORD};
use crate::tree::Tree;
use hornet_ir::U256;
use hornet_ir::expr::{AbiMode, BinOp};
use hornet_ir::ids::TypeId;
use hornet_ir::layout::{abi_head_size, abi_heads_size, abi_min_size, is_dynamic_abi, packed_bytes};
use hornet_ir::types::Type;
use hornet_smt::term::TermId;

impl Context<'_> {
    /// The length of the encoding of some values. `None` where it depends on the elements of arrays.
    pub(crate) fn encoded_length(
        &mut self,
        mode: AbiMode,
        types: &[TypeId],
        values: &[Tree],
    ) -> Option<TermId> {
        // Where arrays can be longer than anybody could pay for, sums of lengths need not be numbers.
        if self.wild.longest() > U256::from(u64::MAX) {
            return None;
        }
        match mode {
            AbiMode::Standard => self.tuple_length(types, values),
            AbiMode::Packed => {
                let parts = types.iter().zip(values).map(|(ty, value)| self.packed_length(*ty, value));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                Some(self.total(&parts))
            }
            AbiMode::Topic => None,
        }
    }

    fn tuple_length(&mut self, types: &[TypeId], values: &[Tree]) -> Option<TermId> {
        let heads = abi_heads_size(&self.program.types, types.iter().copied());
        let mut parts = vec![self.constant(&WORD, heads)];
        for (ty, value) in types.iter().zip(values) {
            if is_dynamic_abi(&self.program.types, *ty) {
                parts.push(self.tail_length(*ty, value)?);
            }
        }
        Some(self.total(&parts))
    }

    /// What stands behind the heads for a value of no fixed size.
    fn tail_length(&mut self, ty: TypeId, value: &Tree) -> Option<TermId> {
        match self.program.types.get(ty).clone() {
            Type::Bytes => {
                let (rounding, word) = (self.word(31), self.word(32));
                let up = self.total(&[value[0], rounding]);
                let words = self.arithmetic(BinOp::Div, up, word);
                let padded = self.arithmetic(BinOp::Mul, words, word);
                Some(self.total(&[word, padded]))
            }
            Type::Array { elem, len: None } if !is_dynamic_abi(&self.program.types, elem) => {
                let size = self.constant(&WORD, abi_min_size(&self.program.types, elem));
                let elements = self.arithmetic(BinOp::Mul, value[0], size);
                let word = self.word(32);
                Some(self.total(&[word, elements]))
            }
            Type::Struct(id) => {
                let fields = self.field_types(id);
                let (mut at, mut parts) = (0, Vec::new());
                for field in &fields {
                    let size = self.shape(*field).ok()?.len();
                    parts.push(value.get(at..at + size)?.into());
                    at += size;
                }
                self.tuple_length(&fields, &parts)
            }
            _ => None,
        }
    }

    fn packed_length(&mut self, ty: TypeId, value: &Tree) -> Option<TermId> {
        match self.program.types.get(ty).clone() {
            Type::Bytes => Some(value[0]),
            // Elements are padded to words.
            Type::Array { elem, len } if self.program.types.get(elem).is_scalar() => {
                let word = self.word(32);
                let length = match len {
                    Some(len) => self.constant(&WORD, len),
                    None => value[0],
                };
                Some(self.arithmetic(BinOp::Mul, length, word))
            }
            scalar if scalar.is_scalar() => {
                let size = packed_bytes(&self.program.types, ty);
                Some(self.word(u64::from(size)))
            }
            _ => None,
        }
    }

    pub(crate) fn total(&mut self, parts: &[TermId]) -> TermId {
        let nothing = self.word(0);
        parts.iter().fold(nothing, |sum, part| self.word_sum(sum, *part))
    }

    /// On lengths, which are far from the end of the range.
    fn arithmetic(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        self.ints.binary(&mut self.terms, op, (&WORD, a), (&WORD, b), true)
    }

    /// Whether values are as long packed as they are encoded otherwise: then there is no difference at all.
    pub(crate) fn are_full_words(&self, types: &[TypeId]) -> bool {
        let all = &self.program.types;
        types.iter().all(|ty| all.get(*ty).is_scalar() && packed_bytes(all, *ty) == 32)
    }

    /// Records that decoded values are the words that stand in the data, if decoding succeeds. With `strict` rules these
    /// words are exactly the values, otherwise bits that do not belong to them are ignored.
    pub fn admit_decoded(
        &mut self,
        types: &[TypeId],
        values: &[Tree],
        (data, offset): (TermId, usize),
        success: TermId,
        strict: bool,
    ) {
        let Some(word_ty) = self.program.types.find(&WORD) else { return };
        let mut at = U256::from(offset);
        for (ty, value) in types.iter().zip(values) {
            let of = self.program.types.get(*ty).clone();
            let plain = matches!(of, Type::Bool | Type::Int { .. } | Type::FixedBytes(_) | Type::Address);
            if plain && (strict || packed_bytes(&self.program.types, *ty) == 32) {
                let position = self.constant(&WORD, at);
                let word = self.unknown_function("abi.word", &[data, position], word_ty);
                let found = self.ints.cast(&mut self.terms, &of, &WORD, value[0]);
                let same = self.terms.eq(found, word);
                let fact = self.terms.implies(success, same);
                self.fact(fact);
            }
            at = at.wrapping_add(abi_head_size(&self.program.types, *ty));
        }
    }
}
