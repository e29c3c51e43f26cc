//! The real thing to compare with: solc's bytecode, run by revm.

pub mod compiler;
pub mod machine;
pub mod pragma;
pub mod solc;

pub use revm::primitives::{Address, B256, U256, keccak256};
