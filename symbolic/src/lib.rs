//! States and expressions of the IR as terms of first-order logic, for every engine that asks a solver.
//!
//! A value of the IR is a *tree*: the list of terms that its type's `shape` asks for. A struct is its fields one after
//! the other, a mapping is an array per leaf of its values, a dynamic array is a length and such arrays. What a fresh
//! symbol must satisfy (ranges, lengths) is collected as facts in [`Context`].

mod abi;
mod abi_size;
mod arith;
mod asking;
mod builtin;
mod bytes;
mod cast;
mod context;
mod environment;
mod eval;
pub mod exec;
mod family;
mod far;
mod memory;
mod pointer;
mod raw;
mod raw_memory;
mod raw_storage;
mod shape;
mod state;
mod store;
mod sum;
mod tree;
mod wild;

pub use arith::{Arithmetic, Ints, Typed, lemmas};
pub use asking::{Asking, Model};
pub use context::{Context, Res, Unsupported};
pub use eval::Scope;
pub use pointer::Spot;
pub use raw_storage::variables_in_slot;
pub use shape::{Leaf, LeafKind};
pub use state::{Frame, State, Var};
pub use tree::{Key, Tree};
