//! Invariants of a contract that hold: states that break them need not be looked at.

use crate::verify::interrupt;
use hornet_encoder::{
    Arithmetic, FunctionVerdict, Options, Passable, Progress, Report, Selection, Verdict, verify,
};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{Contract, Program};
use hornet_ir::spec::Clause;
use hornet_smt::solver;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How deep functions without a specification are looked into.
const INLINE_DEPTH: u32 = 64;

/// The invariants that stand in comments before the contract, if all that they rest on is proved in this time.
pub fn proved<'p>(
    program: &'p Program,
    contract: ContractId,
    solving: &solver::Options,
    time: Duration,
) -> &'p [Clause] {
    let decl = &program.contracts[contract];
    if decl.invariants.is_empty() || time.is_zero() || expects_something(program, decl) {
        return &[];
    }
    let options = Options {
        arithmetic: Arithmetic::Mod,
        inline_depth: INLINE_DEPTH,
        passable: Passable::None,
        states_ether: false,
        jobs: 0,
        solving: solving.clone(),
        times: BTreeMap::new(),
    };
    let report = verify(program, &Only(contract), &options, &Until(Instant::now() + time));
    if holds(&report) { &decl.invariants } else { &[] }
}

/// Functions that rely on how they are called keep invariants only if others play along.
fn expects_something(program: &Program, contract: &Contract) -> bool {
    let others = [contract.constructor, contract.receive, contract.fallback.map(|fallback| fallback.proc)];
    let entries = contract.entries.iter().map(|entry| entry.proc).chain(others.into_iter().flatten());
    entries
        .flat_map(|entry| [Some(entry), program.body_of(entry)])
        .flatten()
        .any(|proc| program.procs[proc].spec.as_ref().is_some_and(|spec| !spec.pre.is_empty()))
}

/// Every function was looked at to its ends, and nothing is left open.
fn holds(report: &Report) -> bool {
    report.functions.iter().all(|f| f.verdict == FunctionVerdict::Ok && f.unsupported.is_empty())
        && report.checks.iter().all(|check| check.verdict == Verdict::Proved)
}

struct Only(ContractId);

impl Selection for Only {
    fn contract(&self, contract: ContractId) -> bool {
        contract == self.0
    }
}

struct Until(Instant);

impl Progress for Until {
    fn cancelled(&self) -> bool {
        Instant::now() >= self.0 || interrupt::asked()
    }
}
