//! Random states of a contract, bent until its invariants hold.

use super::slots::SlotsMut;
use super::witness::outside;
use crate::values::Values;
use hornet_ir::U256;
use hornet_ir::expr::{BinOp, Expr};
use hornet_ir::ids::{ContractId, ExprId, PlaceId, TypeId};
use hornet_ir::interp::Interpreter;
use hornet_ir::interp::arith::clean;
use hornet_ir::interp::storage::{self, PathStep};
use hornet_ir::interp::value::{StoragePtr, Tree, Value};
use hornet_ir::interp::world::{Address, Code, Immutables, World};
use hornet_ir::program::StateKind;
use hornet_ir::types::Type;
use num_bigint::{BigInt, Sign};
use std::rc::Rc;

/// Fixed arrays longer than this are not filled.
const MOST_ELEMENTS: usize = 16;
/// Rounds over all invariants.
const ROUNDS: usize = 3;

/// Makes states of one contract at one address.
pub struct StateMaker<'s, 'p> {
    pub interp: &'s mut Interpreter<'p>,
    pub values: &'s mut Values<'p>,
    pub contract: ContractId,
    pub this: Address,
}

impl StateMaker<'_, '_> {
    /// Replaces the interpreter's world; false if the invariants could not be made to hold.
    pub fn random_state(&mut self, base: &World) -> bool {
        self.interp.world = base.clone();
        let program = self.interp.program();
        let mut immutables = Immutables::default();
        let vars = program.contracts[self.contract].state.clone();
        for id in vars {
            let var = &program.state[id];
            let ptr = StoragePtr { slot: var.slot, offset: var.offset, transient: false };
            match var.kind {
                StateKind::Immutable => {
                    immutables.insert(id, self.values.scalar(var.ty));
                }
                StateKind::Storage => self.fill(ptr, var.ty),
                StateKind::Transient => {}
            }
        }
        let code = Code::Contract { contract: self.contract, immutables: Rc::new(immutables) };
        self.interp.world.set_code(self.this, code);
        self.interp.world.set_nonce(self.this, 1);
        let balance = self.values.number();
        self.interp.world.set_balance(self.this, balance);
        self.mend()
    }

    fn slots(&mut self) -> SlotsMut<'_> {
        SlotsMut { world: &mut self.interp.world, account: self.this }
    }

    fn fill(&mut self, ptr: StoragePtr, ty: TypeId) {
        let types = self.values.types();
        match types.get(ty) {
            Type::Mapping { key, .. } => {
                let count = self.values.rng.usize(0..6);
                for _ in 0..count {
                    let key = Value::from(self.values.tree(*key));
                    self.interp.note_key(self.this, ptr.slot, &key);
                    self.fill_inside(ptr, ty, PathStep::Index(key));
                }
            }
            Type::Struct(id) => {
                (0..types.structs[*id].fields.len())
                    .for_each(|i| self.fill_inside(ptr, ty, PathStep::Field(i)));
            }
            Type::Array { len, .. } => {
                let count = match len {
                    Some(len) => len.to::<usize>().min(MOST_ELEMENTS),
                    None => self.values.rng.usize(0..5),
                };
                if len.is_none() {
                    let _ = storage::set_length(types, &mut self.slots(), ptr, ty, U256::from(count));
                }
                for i in 0..count {
                    self.fill_inside(ptr, ty, PathStep::Index(Value::Word(U256::from(i))));
                }
            }
            _ => {
                let tree = self.values.tree(ty);
                self.store(ptr, ty, &tree);
            }
        }
    }

    fn fill_inside(&mut self, ptr: StoragePtr, ty: TypeId, step: PathStep) {
        let types = self.values.types();
        if let Ok((ptr, ty)) = storage::step(types, &self.slots(), ptr, ty, &step) {
            self.fill(ptr, ty);
        }
    }

    fn store(&mut self, ptr: StoragePtr, ty: TypeId, tree: &Tree) {
        let types = self.values.types();
        // What does not fit the type is not stored, and the invariants decide what the state is worth.
        let _ = storage::store_tree(types, &mut self.slots(), ptr, ty, tree);
    }

    // ---- invariants ----

    fn mend(&mut self) -> bool {
        let program = self.interp.program();
        let invariants = &program.contracts[self.contract].invariants;
        for _ in 0..ROUNDS {
            let broken: Vec<ExprId> = invariants.iter().map(|c| c.cond).filter(|c| !self.holds(*c)).collect();
            if broken.is_empty() {
                return true;
            }
            broken.into_iter().for_each(|cond| self.make_true(cond));
        }
        invariants.iter().all(|clause| self.holds(clause.cond))
    }

    fn holds(&self, cond: ExprId) -> bool {
        let world = &self.interp.world;
        self.interp.decide(cond, &outside(self.contract, self.this, world)) == Some(true)
    }

    /// Changes one side of a comparison that does not hold.
    fn make_true(&mut self, cond: ExprId) {
        let Expr::Binary(op, a, b) = *self.interp.program().exprs.get(cond) else { return };
        match op {
            BinOp::BoolAnd => {
                for part in [a, b] {
                    if !self.holds(part) {
                        self.make_true(part);
                    }
                }
            }
            BinOp::BoolOr => {
                let side = if self.values.rng.bool() { a } else { b };
                self.make_true(side);
            }
            BinOp::Eq | BinOp::Le | BinOp::Ge => self.equate(a, b, 0),
            BinOp::Lt => self.equate(a, b, -1),
            BinOp::Gt | BinOp::Ne => self.equate(a, b, 1),
            _ => {}
        }
    }

    /// Makes `a == b + difference`.
    fn equate(&mut self, a: ExprId, b: ExprId, difference: i8) {
        let left_first = self.values.rng.bool();
        for left in [left_first, !left_first] {
            let (target, source, difference) = if left { (a, b, difference) } else { (b, a, -difference) };
            if let (Some(place), Some(value)) = (self.assignable(target), self.number(source))
                && self.assign(place, &(value + difference))
            {
                return;
            }
        }
    }

    fn number(&self, e: ExprId) -> Option<BigInt> {
        self.interp.number(e, &outside(self.contract, self.this, &self.interp.world))
    }

    /// The place whose contents an expression is.
    fn assignable(&self, e: ExprId) -> Option<PlaceId> {
        match self.interp.program().exprs.get(e) {
            Expr::Load(place) => Some(*place),
            Expr::Cast(inner) => self.assignable(*inner),
            _ => None,
        }
    }

    fn assign(&mut self, place: PlaceId, value: &BigInt) -> bool {
        let found = self.interp.place_of(place, &outside(self.contract, self.this, &self.interp.world));
        let (Some((ptr, ty)), Some(word)) = (found, to_word(value)) else { return false };
        let fits = clean(self.values.types().get(ty), word) == word;
        if fits {
            self.store(ptr, ty, &Tree::Word(word));
        }
        fits
    }
}

/// Two's complement, if 256 bits are enough.
fn to_word(value: &BigInt) -> Option<U256> {
    let (sign, bytes) = value.to_bytes_be();
    let magnitude = (bytes.len() <= 32).then(|| U256::from_be_slice(&bytes))?;
    Some(if sign == Sign::Minus { magnitude.wrapping_neg() } else { magnitude })
}
