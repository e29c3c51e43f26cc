//! What is looked at.

use hornet_ir::ids::{ContractId, ProcId};

/// What to verify: a filter over contracts and functions.
pub trait Selection: Sync {
    fn contract(&self, _contract: ContractId) -> bool {
        true
    }
    fn function(&self, _contract: ContractId, _proc: ProcId, _name: &str) -> bool {
        true
    }
}

/// Everything.
pub struct All;

impl Selection for All {}
