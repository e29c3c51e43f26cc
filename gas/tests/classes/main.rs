//! Classes of contracts, with real compilers, solvers and the EVM.

mod contents;
mod golden;
mod invariants;
mod methods;
mod subject;
mod witnesses;
