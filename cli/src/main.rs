//! The `hornet` binary.

fn main() {}
