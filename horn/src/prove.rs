//! Proofs over any number of transactions.

use crate::Settings;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_symbolic::exec::CheckKey;
use std::sync::atomic::AtomicBool;

/// Checks that hold on all runs, and why.
#[derive(Clone, Debug)]
pub struct Proof {
    pub checks: Vec<CheckKey>,
    pub invariants: Vec<Invariant>,
}

/// Something that holds whenever control is at some place.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// In words: "after every transaction", "whenever the loop at line 7 begins an iteration".
    pub place: String,
    /// As a Solidity expression, if it can be written as one.
    pub text: Option<String>,
}

/// Tries to prove checks of a contract. Tells of each proof as soon as it is there.
pub fn prove(
    _program: &Program,
    _contract: ContractId,
    _wanted: &[CheckKey],
    _settings: &Settings,
    _stop: &AtomicBool,
    _tell: &mut dyn FnMut(Proof),
) {
}
