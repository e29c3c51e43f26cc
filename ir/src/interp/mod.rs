//! Runs the IR on concrete values, byte for byte as the EVM code that solc generates.

pub mod arith;
pub mod value;
pub mod world;
