//! Solidity text to typed program to IR.

mod compile;
pub mod hir;
pub mod lower;
pub mod parse;
pub mod sema;
pub mod source;
pub mod version;

pub use compile::{Compiled, compile};
pub use hir::walk::expression_types;
