//! Raw access to storage: slots of variables by their number, slots of references, or anywhere.

use crate::context::{Context, Res};
use crate::pointer::Spot;
use crate::state::{State, Var};
use crate::tree::{Key, Tree};
use hornet_ir::U256;
use hornet_ir::ids::ContractId;
use hornet_ir::ids::{StateVarId, TypeId};
use hornet_ir::layout::storage_slots;
use hornet_ir::program::{Program, StateKind};
use hornet_ir::types::Type;
use hornet_smt::term::{Op, TermId};

/// What is in a slot.
#[derive(Clone, Debug)]
pub(crate) enum Slots {
    /// One whole word that is one of these, each with its condition: a scalar, or the length of an array.
    Word(Vec<(TermId, Spot)>),
    /// Parts of these variables, or nothing of any variable.
    Parts(Vec<StateVarId>),
    Anywhere,
}

/// The variables of a contract that have a part in a slot. Mappings leave theirs empty.
pub fn variables_in_slot(program: &Program, contract: ContractId, slot: U256) -> Vec<StateVarId> {
    let vars = program.contracts[contract].state.iter().copied();
    vars.filter(|var| {
        let decl = &program.state[*var];
        let slots = storage_slots(&program.types, decl.ty);
        decl.kind == StateKind::Storage
            && !matches!(program.types.get(decl.ty), Type::Mapping { .. })
            && slot >= decl.slot
            && slot - decl.slot < slots
    })
    .collect()
}

impl Context<'_> {
    pub(crate) fn slots_at(&mut self, slot: TermId) -> Slots {
        let reference = match self.terms.op(slot) {
            Op::Apply(function) => function.name.strip_prefix(crate::pointer::SLOT).map(str::to_owned),
            _ => None,
        };
        if let Some(ty) = reference.and_then(|ty| ty.parse().ok()).map(TypeId) {
            let reference: Tree = self.terms.args(slot).into();
            let spots = self.spots(ty, &reference).ok();
            return spots.and_then(|spots| self.whole_word(ty, spots)).unwrap_or(Slots::Anywhere);
        }
        let (None, number) = self.base_and_offset(slot) else { return Slots::Anywhere };
        let (Some(contract), Some(number)) = (self.contract, to_word(&number)) else {
            return Slots::Anywhere;
        };
        let vars = variables_in_slot(self.program, contract, number);
        if let [var] = vars[..]
            && self.program.state[var].slot == number
        {
            let root_ty = self.program.state[var].ty;
            let spot = Spot { var: Var::State(var), root_ty, keys: Vec::new(), outside: None };
            let spots = vec![(self.terms.bool(true), spot)];
            return self.whole_word(root_ty, spots).unwrap_or(Slots::Parts(vars));
        }
        // A large number may be a hash: of an array's slot, or of a mapping's key and slot.
        if vars.is_empty() && number > U256::from(u64::MAX) { Slots::Anywhere } else { Slots::Parts(vars) }
    }

    /// The first slot of a value, if it is one word of it.
    fn whole_word(&mut self, ty: TypeId, mut spots: Vec<(TermId, Spot)>) -> Option<Slots> {
        match self.program.types.get(ty).clone() {
            Type::Array { len: None, .. } => Some(Slots::Word(spots)),
            Type::Struct(id) => {
                let first = *self.field_types(id).first()?;
                spots.iter_mut().for_each(|(_, spot)| spot.keys.push(Key::Field(0)));
                self.whole_word(first, spots)
            }
            _ => self.fills_word(ty).then_some(Slots::Word(spots)),
        }
    }

    /// `sload`.
    pub(crate) fn slot_value(&mut self, state: &State, slots: &Slots) -> Res<TermId> {
        let mut value = self.any_word();
        let Slots::Word(spots) = slots else { return Ok(value) };
        for (cond, spot) in spots {
            let ty = self.type_at(spot.root_ty, &spot.keys)?;
            let tree = self.read_spot(state, spot)?;
            let shape = self.shape(ty)?;
            self.admit_loaded(&shape, &tree);
            let word = match self.program.types.get(ty) {
                Type::Array { .. } => tree[0],
                _ => self.word_of(ty, tree[0]),
            };
            value = self.terms.ite(*cond, word, value);
        }
        Ok(value)
    }

    /// `sstore`.
    pub fn slot_store(&mut self, state: &mut State, slot: TermId, word: TermId) -> Res<()> {
        match self.slots_at(slot) {
            Slots::Word(spots) => {
                for (cond, spot) in spots {
                    self.change_spot(state, cond, &spot, &mut |cx, ty, old| {
                        let first = match cx.program.types.get(ty) {
                            Type::Array { .. } => word,
                            _ => cx.value_of_word(ty, word),
                        };
                        Ok([first].into_iter().chain(old[1..].iter().copied()).collect())
                    })?;
                }
                Ok(())
            }
            Slots::Parts(vars) => vars.into_iter().try_for_each(|var| self.blur(state, Var::State(var))),
            Slots::Anywhere => self.storage_vars().into_iter().try_for_each(|var| self.blur(state, var)),
        }
    }

    /// Anything may be anywhere in the contract's storage.
    pub fn havoc_storage(&mut self, state: &mut State) -> Res<()> {
        self.storage_vars().into_iter().try_for_each(|var| self.havoc(state, var))
    }

    /// `tstore`.
    pub fn blur_transient(&mut self, state: &mut State) -> Res<()> {
        let vars = self.storage_vars().into_iter().filter(|var| match var {
            Var::State(var) => self.program.state[*var].kind == StateKind::Transient,
            _ => false,
        });
        vars.collect::<Vec<_>>().into_iter().try_for_each(|var| self.blur(state, var))
    }

    /// All that is in storage.
    pub(crate) fn storage_vars(&self) -> Vec<Var> {
        let own = self.contract.map(|c| self.program.contracts[c].state.clone()).unwrap_or_default();
        let own = own.into_iter().filter(|var| self.program.state[*var].kind != StateKind::Immutable);
        own.map(Var::State).chain(self.outside_vars()).collect()
    }
}

fn to_word(number: &num_bigint::BigInt) -> Option<U256> {
    let (sign, digits) = number.to_bytes_be();
    (sign != num_bigint::Sign::Minus).then(|| U256::try_from_be_slice(&digits)).flatten()
}
