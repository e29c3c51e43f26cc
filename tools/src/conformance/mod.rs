//! Recorded calls with recorded results, run again and compared.

pub mod backend;
pub mod calls;
pub mod chain;
pub mod evm;
pub mod file;
pub mod interp;
mod lexer;
mod report;
mod run;
pub mod value;

pub use report::{Counts, Report};
pub use run::{Verdict, run_file, run_folder};
