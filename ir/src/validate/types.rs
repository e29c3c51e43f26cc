//! Rules 101 to 105: the types themselves.

use super::{Validator, Where, rule};
use crate::ids::{Id, StructId, TypeId};
use crate::types::{Type, WIDE_BITS};

impl Validator<'_> {
    pub(super) fn types(&mut self) {
        let types = &self.program.types;
        for (id, ty) in types.iter() {
            self.type_form(id, ty);
        }
        for def in types.structs.iter() {
            let names: Vec<&str> = def.fields.iter().map(|f| f.name.as_str()).collect();
            self.distinct(&def.name, &names);
            for field in &def.fields {
                self.no_reference(Where::Program, field.ty);
            }
        }
        for def in types.enums.iter() {
            let names: Vec<&str> = def.members.iter().map(String::as_str).collect();
            self.distinct(&def.name, &names);
            self.require(!names.is_empty(), rule::FIELDS, Where::Program, || {
                format!("enum {} is empty", def.name)
            });
        }
        self.recursion();
    }

    fn type_form(&mut self, id: TypeId, ty: &Type) {
        let at = Where::Type(id);
        match ty {
            Type::Int { bits, .. } => {
                let ok = ty.is_wide() == (*bits == WIDE_BITS) && *bits >= 8 && bits.is_multiple_of(8);
                self.require(ok, rule::WIDTH, at, || format!("integer of {bits} bits"));
            }
            Type::FixedBytes(n) => {
                self.require((1..=32).contains(n), rule::WIDTH, at, || format!("bytes{n}"));
            }
            Type::Array { elem, .. } => self.no_reference(at, *elem),
            Type::Mapping { key, value } => {
                self.no_reference(at, *value);
                let key = self.program.types.get(*key);
                let ok = key.is_scalar() || *key == Type::Bytes;
                self.require(ok, rule::KEY, at, || format!("key {key:?}"));
            }
            Type::MemoryRef(t) | Type::CalldataRef(t) => {
                let referent = self.program.types.get(*t);
                self.require(referent.is_tree(), rule::REFERENCE, at, || {
                    format!("reference to {referent:?}")
                });
            }
            // To a scalar as well: `x.slot` is about such a reference.
            Type::StorageRef(t) => self.no_reference(at, *t),
            Type::Bool
            | Type::Address
            | Type::Enum(_)
            | Type::FnInternal
            | Type::FnExternal
            | Type::Bytes
            | Type::Struct(_) => {}
        }
    }

    fn no_reference(&mut self, at: Where, ty: TypeId) {
        let held = self.program.types.referent(ty);
        self.require(held.is_none(), rule::REFERENCE, at, || format!("{ty:?} is a reference"));
    }

    fn distinct(&mut self, owner: &str, names: &[&str]) {
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        for pair in sorted.windows(2) {
            self.require(pair[0] != pair[1], rule::FIELDS, Where::Program, || {
                format!("{owner} has two `{}`", pair[0])
            });
        }
    }

    /// A struct that contains itself directly or through structs and fixed arrays would be infinite.
    fn recursion(&mut self) {
        let structs = &self.program.types.structs;
        // 0: not visited, 1: on the path, 2: done.
        let mut state = vec![0u8; structs.len()];
        for id in structs.ids() {
            let mut path = vec![(id, 0usize)];
            while let Some((current, next)) = path.pop() {
                if next == 0 && state[current.index()] == 2 {
                    continue;
                }
                state[current.index()] = 1;
                let Some(field) = structs[current].fields.get(next) else {
                    state[current.index()] = 2;
                    continue;
                };
                path.push((current, next + 1));
                let Some(inner) = self.held_struct(field.ty) else { continue };
                match state[inner.index()] {
                    1 => {
                        let name = &structs[inner].name;
                        self.report(rule::RECURSION, Where::Program, format!("{name} contains itself"));
                        return;
                    }
                    0 => path.push((inner, 0)),
                    _ => {}
                }
            }
        }
    }

    fn held_struct(&self, mut ty: TypeId) -> Option<StructId> {
        loop {
            match self.program.types.get(ty) {
                Type::Array { elem, len: Some(_) } => ty = *elem,
                Type::Struct(id) => return Some(*id),
                _ => return None,
            }
        }
    }
}
