//! States and expressions of the IR as terms of first-order logic, for every engine that asks a solver.

mod arith;

pub use arith::{Arithmetic, Ints, Typed, lemmas};
