//! Classes of contracts, with real compilers, solvers and the EVM.

mod subject;
mod witnesses;
