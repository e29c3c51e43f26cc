//! Random contracts and random calls: the interpreter against solc's bytecode on revm.

mod expr;
mod generate;
mod literal;
mod run;
mod scope;
mod shrink;
mod stmt;
mod tree;
mod types;
mod values;

pub use run::{Options, Report, run, source};
