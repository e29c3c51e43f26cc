//! What the functions of a contract cost. [`ceiling`] bounds it from above, on the bytecode itself.

pub mod ceiling;
