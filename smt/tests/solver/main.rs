//! Real solver processes.

mod common;
mod goals;
mod horn;
mod others;
mod sessions;
