//! What the functions of a contract cost. [`ceiling`] bounds it from above, on the bytecode itself; [`classes`] finds
//! runs that come close.

pub mod ceiling;
pub mod classes;
mod watch;
