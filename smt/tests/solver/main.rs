//! Real solver processes.

mod common;
mod goals;
mod others;
mod sessions;
