//! One account's storage in the shape that typed access wants.

use super::storage::WordStore;
use super::world::{Address, World};
use ruint::aliases::U256;
use std::cell::Cell;

/// Gas of reading a slot. Every slot counts as warm: this errs on the side of letting a call go on.
pub const SLOAD_GAS: u64 = 100;
/// Gas of writing a slot, as if it had been written before in the transaction.
pub const SSTORE_GAS: u64 = 100;

/// Reads only.
pub struct View<'a> {
    pub world: &'a World,
    pub address: Address,
    pub transient: bool,
    pub spent: &'a Cell<u64>,
}

impl WordStore for View<'_> {
    fn load(&self, slot: U256) -> U256 {
        self.spent.set(self.spent.get() + SLOAD_GAS);
        if self.transient {
            self.world.tload(self.address, slot)
        } else {
            self.world.sload(self.address, slot)
        }
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
}

impl WordStore for ViewMut<'_> {
    fn load(&self, slot: U256) -> U256 {
        self.spent.set(self.spent.get() + SLOAD_GAS);
        if self.transient {
            self.world.tload(self.address, slot)
        } else {
            self.world.sload(self.address, slot)
        }
    }

    fn store(&mut self, slot: U256, value: U256) {
        self.spent.set(self.spent.get() + SSTORE_GAS);
        if self.transient {
            self.world.tstore(self.address, slot, value);
        } else {
            self.world.sstore(self.address, slot, value);
        }
    }
}
