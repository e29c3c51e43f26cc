//! What the make targets run: measuring Hornet against recorded and real results.

pub mod attack;
pub mod bench;
mod bench_gas;
mod bench_verify;
pub mod conformance;
pub mod differential;
pub mod engine;
pub mod evidence;
pub mod files;
pub mod frontend;
pub mod gas_soundness;
pub mod gas_tightness;
pub mod guard;
pub mod mutants;
mod paste;
pub mod real_world;
pub mod storm;
pub mod types;
mod values;
