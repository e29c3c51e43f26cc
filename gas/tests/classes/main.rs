//! Classes of contracts, with real compilers, solvers and the EVM.

mod golden;
mod subject;
mod witnesses;
