//! Solidity text to typed program to IR.

pub mod hir;
pub mod sema;
pub mod version;
