//! Values of the IR out of a model.

use super::executor::Executor;
use crate::Tree;
use crate::asking::Model;
use hornet_ir::U256;
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::TypeId;
use hornet_ir::interp::abi::encode::encode_trees;
use hornet_ir::interp::value::Tree as Told;
use hornet_ir::types::Type;
use hornet_smt::term::{TermId, Value};
use num_bigint::BigInt;

/// Arrays and byte strings inside others are cut to this: nothing was said about those that nobody reads.
const LONGEST: usize = 1024;

pub struct Reading<'t, 'p, 'm> {
    pub ex: &'t mut Executor<'p>,
    pub model: Model<'m>,
}

impl Reading<'_, '_, '_> {
    pub fn number(&mut self, term: TermId) -> BigInt {
        match self.model.value(&self.ex.cx.terms, term) {
            Some(Value::Int(number)) => number,
            Some(Value::BitVec(number, _)) => number.into(),
            Some(Value::Bool(value)) => BigInt::from(u8::from(value)),
            Some(Value::Array(_) | Value::Opaque(_)) | None => BigInt::ZERO,
        }
    }

    pub fn scalar(&mut self, ty: &Type, term: TermId) -> U256 {
        let number = self.number(term);
        self.ex.cx.ints.to_word(ty, &number)
    }

    pub fn word(&mut self, term: TermId) -> U256 {
        self.scalar(&Type::Int { bits: 256, signed: false }, term)
    }

    pub fn address(&mut self, term: TermId) -> U256 {
        self.scalar(&Type::Address, term)
    }

    fn length(&mut self, term: TermId) -> usize {
        usize::try_from(self.number(term)).ok().filter(|n| *n <= LONGEST).unwrap_or(0)
    }

    /// A deep value.
    pub fn tree(&mut self, ty: TypeId, leaves: &Tree) -> Told {
        let program = self.ex.program;
        match program.types.get(ty).clone() {
            Type::Bytes => Told::Bytes(self.bytes(leaves).into()),
            Type::Array { elem, len } => {
                let (length, elements) = match len {
                    Some(len) => (usize::try_from(len).unwrap_or(0).min(LONGEST), leaves.clone()),
                    None => (self.length(leaves[0]), leaves[1..].into()),
                };
                let element = |i: usize| {
                    let i = self.ex.cx.word(i as u64);
                    let leaves: Tree =
                        elements.iter().map(|leaf| self.ex.cx.terms.select(*leaf, i)).collect();
                    self.tree(elem, &leaves)
                };
                Told::List((0..length).map(element).collect())
            }
            Type::Struct(id) => {
                let mut at = 0;
                let mut fields = Vec::new();
                for field in &program.types.structs[id].fields {
                    let size = self.ex.cx.shape(field.ty).map_or(0, |shape| shape.len());
                    fields.push(self.tree(field.ty, &leaves[at..at + size].into()));
                    at += size;
                }
                Told::List(fields)
            }
            Type::CalldataRef(tree) | Type::MemoryRef(tree) => self.tree(tree, leaves),
            scalar => match leaves.first() {
                Some(leaf) => Told::Word(self.scalar(&scalar, *leaf)),
                None => Told::Word(U256::ZERO),
            },
        }
    }

    /// Bytes of somebody's choice: the encoding of what was decoded from them, if something was.
    pub fn bytes(&mut self, leaves: &Tree) -> Vec<u8> {
        let decoded = self.ex.paths.decoded.iter().filter(|d| d.data == leaves[1]);
        let mut decoded: Vec<_> = decoded.cloned().collect();
        // Whoever read most knows most.
        decoded.sort_by_key(|d| std::cmp::Reverse(d.types.len()));
        let length = self.length(leaves[0]);
        for decoded in decoded {
            if !self.model.holds(&self.ex.cx.terms, decoded.success) {
                continue;
            }
            let parts = decoded.types.iter().zip(&decoded.values);
            let values: Vec<Told> = parts.map(|(ty, value)| self.tree(*ty, value)).collect();
            let types = &self.ex.program.types;
            if let Ok(encoded) = encode_trees(types, AbiMode::Standard, &decoded.types, &values) {
                let mut bytes: Vec<u8> = (0..decoded.offset).map(|i| self.byte(leaves[1], i)).collect();
                bytes.extend(encoded);
                bytes.resize(bytes.len().max(length), 0);
                return bytes;
            }
        }
        (0..length).map(|i| self.byte(leaves[1], i)).collect()
    }

    fn byte(&mut self, data: TermId, at: usize) -> u8 {
        let at = self.ex.cx.word(at as u64);
        let byte = self.ex.cx.terms.select(data, at);
        u8::try_from(self.number(byte)).unwrap_or(0)
    }
}
