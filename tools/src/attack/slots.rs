//! The storage of an account for typed access from outside of a run.

use hornet_ir::U256;
use hornet_ir::interp::storage::WordStore;
use hornet_ir::interp::world::{Address, World};

/// Reads only.
#[derive(Clone, Copy)]
pub struct Slots<'a> {
    pub world: &'a World,
    pub account: Address,
}

impl WordStore for Slots<'_> {
    fn load(&self, slot: U256) -> U256 {
        self.world.sload(self.account, slot)
    }

    fn store(&mut self, _slot: U256, _value: U256) {
        debug_assert!(false, "a write to storage that is only looked at");
    }
}

pub struct SlotsMut<'a> {
    pub world: &'a mut World,
    pub account: Address,
}

impl WordStore for SlotsMut<'_> {
    fn load(&self, slot: U256) -> U256 {
        self.world.sload(self.account, slot)
    }

    fn store(&mut self, slot: U256, value: U256) {
        self.world.sstore(self.account, slot, value);
    }
}
