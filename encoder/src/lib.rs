//! Modular verification: each function on its own, against the specifications of what it calls.
//!
//! The rules are those of solc-verify: invariants hold before and after public functions and before calls to others;
//! loops are cut at their invariants; specified functions are replaced by their specification, others followed into.

mod counterexample;
mod infer;
mod job;
mod options;
mod report;
mod solve;

pub use hornet_symbolic::exec::{All, CheckKey, Passable, Selection, body_of};
pub use infer::{Inferred, Invariant, Patience, Place, Proof, infer};
pub use options::{Arithmetic, Options, Progress, Silent};
pub use report::{Binding, Check, Counterexample, FunctionReport, FunctionVerdict, Report, Verdict, Warning};

use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_symbolic::exec::{Views, targets};
use job::{Job, everything};
pub use solve::{MAY_BE_UNREACHABLE, TIME_LIMIT};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;

/// Verifies what `selection` names. The order of the report does not depend on the number of threads.
pub fn verify(
    program: &Program,
    selection: &dyn Selection,
    options: &Options,
    progress: &dyn Progress,
) -> Report {
    let todo = targets(program, selection);
    let contracts: BTreeSet<ContractId> = todo.iter().map(|target| target.contract).collect();
    let views = Views::new(program, contracts.into_iter());
    progress.planned(todo.len());
    let stop = AtomicBool::new(false);
    let job = Job { program, views: &views, options, progress, stop: &stop, wanted: &everything };
    std::thread::scope(|scope| {
        // Closed when the work is over, however it ends.
        let (_working, over) = mpsc::channel::<()>();
        let job = &job;
        scope.spawn(move || job.watch(&over));
        job.verify(todo)
    })
}
