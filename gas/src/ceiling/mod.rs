//! Upper bounds on gas that no run of the bytecode exceeds.
