//! Bounded search: short sequences of transactions, solved directly.
//!
//! All functions are followed from the same state, and their ends are joined: there is one state after each number of
//! transactions, and the solver chooses who calls what.

mod hunt;
mod preferences;
mod telling;

use crate::Settings;
use hornet_ir::ids::ContractId;
use hornet_ir::program::{Contract, ContractKind, Program, StmtKind};
use hornet_ir::trace::Trace;
use hornet_symbolic::exec::{AllEffects, CheckKey, has_loops, unroll};
use hunt::Hunt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How far one look goes.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Rounds of a loop, and activations of a procedure at the same time.
    rounds: u32,
    /// How deep others may call back.
    nesting: usize,
    transactions: usize,
    /// Other contracts of each kind that are there before.
    neighbours: usize,
    /// Runs of fewer transactions were looked at before.
    first: usize,
    /// For one question.
    time: Duration,
    /// Of the time that is left.
    share: f64,
}

const LOOKS: [Bounds; 6] = [
    Bounds { transactions: 2, ..Bounds::new(3, 0, Duration::from_millis(400)) },
    Bounds { transactions: 3, ..Bounds::new(3, 1, Duration::from_millis(1500)) },
    Bounds { transactions: 2, ..Bounds::new(3, 3, Duration::from_millis(1500)) },
    Bounds { transactions: 5, neighbours: 2, ..Bounds::new(6, 1, Duration::from_secs(5)) },
    Bounds { transactions: 8, ..Bounds::new(11, 2, Duration::from_secs(30)) },
    Bounds { transactions: 24, first: 9, share: 0.5, ..Bounds::new(3, 0, Duration::from_secs(5)) },
];

impl Bounds {
    const fn new(rounds: u32, nesting: usize, time: Duration) -> Bounds {
        Bounds { rounds, nesting, transactions: 0, neighbours: 1, first: 0, time, share: 1.0 }
    }
}

/// Looks for runs that break checks of a contract, shortest first. Tells of each as soon as it is found; the answer of
/// `tell` says whether that was enough for this check.
pub fn search(
    program: &Program,
    contract: ContractId,
    wanted: &[CheckKey],
    settings: &Settings,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&CheckKey, Trace) -> bool,
) {
    if !can_be_deployed(&program.contracts[contract]) {
        return;
    }
    let mut left: Vec<CheckKey> = wanted.iter().filter(|key| key.contract == contract).cloned().collect();
    let is_over = || stop.load(Ordering::Relaxed) || Instant::now() >= settings.deadline;
    for bounds in looks(program) {
        if left.is_empty() || is_over() {
            return;
        }
        let unrolled = unroll(program, bounds.rounds);
        let effects = AllEffects::new(&unrolled);
        let Some(mut hunt) = Hunt::new(&unrolled, &effects, contract, bounds, settings, stop) else { return };
        // What is not modelled ends the hunt as it would a path.
        let _ = hunt.run(&mut left, tell);
    }
}

/// A library is, too, but most of its functions run for those that name it only: those that look are for everybody.
fn can_be_deployed(contract: &Contract) -> bool {
    match contract.kind {
        ContractKind::Contract => contract.constructor.is_some(),
        ContractKind::Library => contract.entries.iter().any(|entry| entry.constant),
        ContractKind::Abstract | ContractKind::Interface => false,
    }
}

/// The looks that differ for this program.
fn looks(program: &Program) -> Vec<Bounds> {
    let stmts = || program.procs.iter().flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts);
    let loops = program.procs.iter().any(has_loops);
    let calls = stmts().any(|stmt| matches!(stmt.kind, StmtKind::ExternalCall(_) | StmtKind::Create(_)));
    let recursion = is_recursive(program);
    if loops || calls || recursion { LOOKS.to_vec() } else { LOOKS[4..].to_vec() }
}

/// Whether some procedure may be active twice.
fn is_recursive(program: &Program) -> bool {
    use hornet_ir::ids::ProcId;
    use hornet_ir::program::Callee;
    let callees = |id: ProcId| {
        let stmts = program.procs[id].blocks.iter().flat_map(|b| &b.stmts);
        stmts.filter_map(|stmt| match &stmt.kind {
            StmtKind::Call { callee: Callee::Proc(callee), .. } => Some(*callee),
            _ => None,
        })
    };
    let through_value = program
        .procs
        .iter()
        .flat_map(|p| p.blocks.iter())
        .flat_map(|b| &b.stmts)
        .any(|stmt| matches!(&stmt.kind, StmtKind::Call { callee: Callee::Pointer(_), .. }));
    let reaches_itself = |start: ProcId| {
        let mut seen: Vec<ProcId> = callees(start).collect();
        let mut next = 0;
        while let Some(id) = seen.get(next).copied() {
            next += 1;
            for callee in callees(id).collect::<Vec<_>>() {
                if !seen.contains(&callee) {
                    seen.push(callee);
                }
            }
        }
        seen.contains(&start)
    };
    through_value || program.procs.ids().any(reaches_itself)
}
