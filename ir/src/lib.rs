//! Hornet's middle language. Everything a Solidity version implies is explicit here; engines see only this.

pub mod diag;
pub mod span;
