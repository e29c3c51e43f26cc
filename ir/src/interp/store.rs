//! One account's storage in the shape that typed access wants.

use super::storage::WordStore;
use super::world::{Address, World};
use ruint::aliases::U256;
use std::cell::Cell;

/// Gas of an access to transient storage.
const TRANSIENT_GAS: u64 = 100;

fn spend(spent: &Cell<u64>, gas: u64) {
    spent.set(spent.get().saturating_add(gas));
}

fn load(world: &World, address: Address, transient: bool, spent: &Cell<u64>, slot: U256) -> U256 {
    if transient {
        spend(spent, TRANSIENT_GAS);
        world.tload(address, slot)
    } else {
        spend(spent, world.sload_gas(address, slot));
        world.sload(address, slot)
    }
}

/// Reads only.
pub struct View<'a> {
    pub world: &'a World,
    pub address: Address,
    pub transient: bool,
    pub spent: &'a Cell<u64>,
}

impl WordStore for View<'_> {
    fn load(&self, slot: U256) -> U256 {
        load(self.world, self.address, self.transient, self.spent, slot)
    }

    /// Expressions do not write: nothing calls this on a view.
    fn store(&mut self, _slot: U256, _value: U256) {
        debug_assert!(false, "a write through a view of storage");
    }
}

pub struct ViewMut<'a> {
    pub world: &'a mut World,
    pub address: Address,
    pub transient: bool,
    pub spent: &'a Cell<u64>,
    pub via_ir: bool,
}

impl WordStore for ViewMut<'_> {
    fn load(&self, slot: U256) -> U256 {
        load(self.world, self.address, self.transient, self.spent, slot)
    }

    fn store(&mut self, slot: U256, value: U256) {
        if self.transient {
            spend(self.spent, TRANSIENT_GAS);
            self.world.tstore(self.address, slot, value);
        } else {
            spend(self.spent, self.world.sstore_gas(self.address, slot, value));
            self.world.sstore(self.address, slot, value);
        }
    }

    fn deletes_whole_slots(&self) -> bool {
        self.via_ir
    }
}
