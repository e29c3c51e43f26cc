//! The real thing to compare with: compiled bytecode, run by revm.

pub mod compiler;
pub mod foundry_test;
pub mod machine;
pub mod measure;
pub mod pragma;
pub mod process;
pub mod replay;
pub mod solc;

pub use revm::primitives::{Address, B256, U256, keccak256};
