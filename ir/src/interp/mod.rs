//! Runs the IR on concrete values, byte for byte as the EVM code that solc generates.

pub mod abi;
pub mod arith;
pub mod calldata;
pub mod crypto;
pub mod memory;
pub mod storage;
pub mod value;
pub mod world;
