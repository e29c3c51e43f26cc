//! Hornet's middle language. Everything a Solidity version implies is explicit here; engines see only this.

pub mod builder;
pub mod diag;
pub mod expr;
pub mod hash;
pub mod ids;
pub mod interp;
pub mod layout;
pub mod number;
pub mod program;
pub mod span;
pub mod spec;
#[cfg(test)]
mod testgen;
pub mod text;
pub mod trace;
pub mod types;
pub mod typing;
pub mod validate;
pub mod visit;

pub use ruint::aliases::U256;
pub use validate::validate;
