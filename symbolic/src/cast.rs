//! Conversions.

use crate::context::{Context, Res, Unsupported};
use crate::eval::{Scope, one};
use crate::state::State;
use crate::tree::Tree;
use hornet_ir::ids::TypeId;
use hornet_ir::types::Type;

impl Context<'_> {
    pub(crate) fn cast(&mut self, from: TypeId, to: TypeId, value: &Tree) -> Res<Tree> {
        if from == to {
            return Ok(value.clone());
        }
        let (source, target) = (self.program.types.get(from).clone(), self.program.types.get(to).clone());
        match (&source, &target) {
            (a, b) if a.is_scalar() && b.is_scalar() => {
                Ok(one(self.ints.cast(&mut self.terms, a, b, value[0])))
            }
            (Type::Bytes, Type::FixedBytes(n)) => Ok(one(self.leading_bytes(value, *n))),
            (a, b) if a.is_tree() && b.is_tree() => self.cast_tree(from, to, value),
            (Type::CalldataRef(a), Type::CalldataRef(b)) => self.cast_tree(*a, *b, value),
            (Type::MemoryRef(a), Type::MemoryRef(b)) if a == b => Ok(value.clone()),
            (_, Type::StorageRef(t)) => self
                .reference_of_slot(*t, value[0])
                .ok_or_else(|| Unsupported::new("storage reference made of a number")),
            (Type::MemoryRef(t), b) if *b == crate::context::WORD => Ok(one(self.address_of(*t, value[0]))),
            (_, Type::MemoryRef(t)) => self
                .object_at(*t, value[0])
                .map(one)
                .ok_or_else(|| Unsupported::new("reference to memory made of a number")),
            _ => Err(Unsupported::new("conversion between references and numbers")),
        }
    }

    /// The deep value behind a reference, or of a tree, as a value of tree type `to`.
    pub fn deep_value_as(&mut self, scope: &Scope, from: TypeId, to: TypeId, value: &Tree) -> Res<Tree> {
        let (from, value) = match self.program.types.get(from).clone() {
            Type::MemoryRef(t) => (t, self.deep(scope.now, t, value[0])?),
            Type::StorageRef(t) => (t, self.behind(scope, t, value)?),
            Type::CalldataRef(t) => (t, value.clone()),
            _ => (from, value.clone()),
        };
        self.cast_tree(from, to, &value)
    }

    /// What a value is outside memory: references by what they lead to, with its type.
    pub fn contents(&mut self, state: &State, ty: TypeId, value: &Tree) -> Res<(TypeId, Tree)> {
        Ok(match self.program.types.get(ty).clone() {
            Type::MemoryRef(t) => (t, self.deep(state, t, value[0])?),
            Type::CalldataRef(t) => (t, value.clone()),
            Type::StorageRef(t) => {
                let word = self.program.types.find(&crate::context::WORD).unwrap_or(ty);
                (word, [self.slot_of(t, value)].into())
            }
            _ => (ty, value.clone()),
        })
    }

    /// Element-wise conversion of trees: arrays whose elements convert, fixed to dynamic length.
    pub(crate) fn cast_tree(&mut self, from: TypeId, to: TypeId, value: &Tree) -> Res<Tree> {
        if from == to {
            return Ok(value.clone());
        }
        let (source, target) = (self.program.types.get(from).clone(), self.program.types.get(to).clone());
        let (Type::Array { elem: a, len: m }, Type::Array { elem: b, len: n }) = (source, target) else {
            return Err(Unsupported::new("conversion between these types of values"));
        };
        let elements: Tree = value[usize::from(m.is_none())..].into();
        let elements = if a == b { elements } else { self.cast_elements(a, b, &elements)? };
        let length = match (m, n) {
            (_, Some(_)) => None,
            (None, None) => Some(value[0]),
            (Some(len), None) => Some(self.constant(&crate::context::WORD, len)),
        };
        Ok(length.into_iter().chain(elements.iter().copied()).collect())
    }

    fn cast_elements(&mut self, from: TypeId, to: TypeId, elements: &Tree) -> Res<Tree> {
        let i = self.fresh_index();
        let element: Tree = elements.iter().map(|leaf| self.terms.select(*leaf, i)).collect();
        let converted = if self.program.types.get(from).is_tree() {
            self.cast_tree(from, to, &element)?
        } else {
            self.cast(from, to, &element)?
        };
        Ok(converted.iter().map(|leaf| self.terms.lambda(i, *leaf)).collect())
    }
}
