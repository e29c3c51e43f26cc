//! Bounded search: short sequences of transactions, solved directly.

use crate::Settings;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::trace::Trace;
use hornet_symbolic::exec::CheckKey;
use std::sync::atomic::AtomicBool;

/// Looks for runs that break checks of a contract, shortest first. Tells of each as soon as it is found; the answer of
/// `tell` says whether that was enough for this check.
pub fn search(
    _program: &Program,
    _contract: ContractId,
    _wanted: &[CheckKey],
    _settings: &Settings,
    _stop: &AtomicBool,
    _tell: &mut dyn FnMut(&CheckKey, Trace) -> bool,
) {
}
