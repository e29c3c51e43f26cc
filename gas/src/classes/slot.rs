//! Slots of storage by terms: a number to start from, then keys that are hashed.

use std::rc::Rc;

use hornet_ir::U256;
use hornet_ir::layout::field_location;
use hornet_ir::program::{Program, StateKind};
use hornet_ir::types::Type;
use hornet_ir::{ids::TypeId, layout::packed_bytes};
use hornet_smt::term::{TermId, Terms};
use hornet_symbolic::{Key, Spot, Var};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SlotPath {
    /// Slots counted from the beginning, and from what each key leads to.
    offsets: Vec<U256>,
    keys: Vec<Rc<[TermId]>>,
}

impl SlotPath {
    /// `None` for what is not in lasting storage.
    pub fn of(program: &Program, spot: &Spot) -> Option<SlotPath> {
        let Var::State(var) = spot.var else { return None };
        let decl = &program.state[var];
        if decl.kind != StateKind::Storage {
            return None;
        }
        let mut path = SlotPath { offsets: vec![decl.slot], keys: Vec::new() };
        let mut ty = spot.root_ty;
        for key in &spot.keys {
            ty = match (program.types.get(ty), key) {
                (Type::Struct(id), Key::Field(i)) => {
                    let (slot, _) = field_location(&program.types, *id, *i as usize);
                    if let Some(last) = path.offsets.last_mut() {
                        *last = last.wrapping_add(slot);
                    }
                    program.types.structs[*id].fields[*i as usize].ty
                }
                (Type::Array { elem: inner, .. } | Type::Mapping { value: inner, .. }, Key::Index(key)) => {
                    path.keys.push(key.clone());
                    path.offsets.push(U256::ZERO);
                    *inner
                }
                _ => break,
            };
        }
        Some(path)
    }

    /// Whether only the keys can make a difference.
    pub fn may_be(&self, other: &SlotPath) -> bool {
        self.offsets == other.offsets
    }

    pub fn equals(&self, terms: &mut Terms, other: &SlotPath) -> TermId {
        let pairs = self.keys.iter().zip(&other.keys).flat_map(|(a, b)| a.iter().zip(b.iter()));
        let equal: Vec<TermId> = pairs
            .filter(|(a, b)| terms.sort(**a) == terms.sort(**b))
            .map(|(a, b)| (*a, *b))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|(a, b)| terms.eq(a, b))
            .collect();
        terms.and_all(equal)
    }
}

/// The type of what is at a spot.
pub(super) fn type_of(program: &Program, spot: &Spot) -> Option<TypeId> {
    spot.keys.iter().try_fold(spot.root_ty, |ty, key| match (program.types.get(ty), key) {
        (Type::Struct(id), Key::Field(i)) => {
            program.types.structs[*id].fields.get(*i as usize).map(|field| field.ty)
        }
        (Type::Array { elem: inner, .. } | Type::Mapping { value: inner, .. }, Key::Index(_)) => Some(*inner),
        _ => None,
    })
}

/// What shares its slot with something small.
pub(super) fn neighbours(program: &Program, spot: &Spot) -> Vec<Spot> {
    let types = &program.types;
    if type_of(program, spot).is_none_or(|ty| packed_bytes(types, ty) == 32) {
        return Vec::new();
    }
    let Some((last, before)) = spot.keys.split_last() else { return beside_variable(program, spot) };
    let parent = Spot { keys: before.to_vec(), ..spot.clone() };
    let (Key::Field(own), Some(Type::Struct(id))) = (last, type_of(program, &parent).map(|ty| types.get(ty)))
    else {
        return Vec::new();
    };
    let slot = field_location(types, *id, *own as usize).0;
    let fields = 0..types.structs[*id].fields.len();
    fields
        .filter(|i| *i != *own as usize && field_location(types, *id, *i).0 == slot)
        .map(|i| {
            let mut keys = before.to_vec();
            keys.push(Key::Field(i as u32));
            Spot { keys, ..spot.clone() }
        })
        .collect()
}

fn beside_variable(program: &Program, spot: &Spot) -> Vec<Spot> {
    let Var::State(var) = spot.var else { return Vec::new() };
    let decl = &program.state[var];
    let others = program.contracts[decl.contract].state.iter().filter(|other| {
        let state = &program.state[**other];
        **other != var && state.kind == StateKind::Storage && state.slot == decl.slot
    });
    others
        .map(|other| Spot {
            var: Var::State(*other),
            root_ty: program.state[*other].ty,
            keys: Vec::new(),
            outside: None,
        })
        .collect()
}
