//! The modular engine as part of a strategy: what it proves must not rest on assertions that may fail.

use super::progress::Display;
use hornet_encoder::{Check, Options, Passable, Progress, Report, Selection, Verdict};
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::Span;
use std::collections::HashSet;

/// Verifies, and then again what comes after assertions that were not proved, as if these stopped no run.
pub fn verify(program: &Program, selection: &dyn Selection, options: &Options, progress: &Display) -> Report {
    let mut report = hornet_encoder::verify(program, selection, options, progress);
    let mut open = HashSet::new();
    loop {
        let now = not_proved(&report);
        if now == open || progress.cancelled() {
            return report;
        }
        open = now;
        let affected = Affected::new(&report);
        if affected.0.is_empty() {
            return report;
        }
        let passable = Passable::Only(open.iter().copied().collect());
        let options = Options { passable, solving: options.solving.clone(), ..*options };
        weaken(&mut report, &hornet_encoder::verify(program, &affected, &options, &Quietly(progress)));
    }
}

/// Places of assertions that may fail.
fn not_proved(report: &Report) -> HashSet<Span> {
    report.checks.iter().filter(|c| is_open_assertion(c)).map(|c| c.span).collect()
}

fn is_open_assertion(check: &Check) -> bool {
    check.kind == ObligationKind::Assertion && check.verdict != Verdict::Proved
}

/// Functions with an assertion that may fail, and something proved that may rest on it.
struct Affected(HashSet<(ContractId, Option<ProcId>)>);

impl Affected {
    fn new(report: &Report) -> Affected {
        let with = |wanted: &dyn Fn(&Check) -> bool| {
            let checks = report.checks.iter().filter(|c| wanted(c));
            let functions = checks.map(|c| &report.functions[c.function]);
            functions.map(|f| (f.contract, f.body)).collect::<HashSet<_>>()
        };
        let open = with(&is_open_assertion);
        let proved = with(&|c| is_language_check(c.kind) && c.verdict == Verdict::Proved);
        Affected(open.intersection(&proved).copied().collect())
    }
}

impl Selection for Affected {
    fn contract(&self, contract: ContractId) -> bool {
        self.0.iter().any(|(c, _)| *c == contract)
    }

    fn function(&self, contract: ContractId, proc: ProcId, _: &str) -> bool {
        self.0.contains(&(contract, Some(proc)))
    }
}

/// Takes proofs back that do not hold any more.
fn weaken(report: &mut Report, again: &Report) {
    for check in again.checks.iter().filter(|c| c.verdict != Verdict::Proved && is_language_check(c.kind)) {
        let key = again.key(check);
        let same: Vec<usize> = (0..report.checks.len())
            .filter(|i| report.checks[*i].kind == check.kind && report.key(&report.checks[*i]) == key)
            .collect();
        for i in same {
            if report.checks[i].verdict == Verdict::Proved {
                report.checks[i] = Check { function: report.checks[i].function, ..check.clone() };
            }
        }
    }
}

/// What code may do wrong with no annotation saying so.
pub fn is_language_check(kind: ObligationKind) -> bool {
    match kind {
        ObligationKind::Assertion
        | ObligationKind::Overflow
        | ObligationKind::Underflow
        | ObligationKind::DivisionByZero
        | ObligationKind::OutOfBounds
        | ObligationKind::EmptyPop
        | ObligationKind::EnumConversion
        | ObligationKind::InsufficientBalance => true,
        ObligationKind::Invariant
        | ObligationKind::LoopInvariant
        | ObligationKind::Precondition
        | ObligationKind::Postcondition
        | ObligationKind::Modifies
        | ObligationKind::Emits
        | ObligationKind::EventPrecondition
        | ObligationKind::EventPostcondition
        | ObligationKind::Succeeds
        | ObligationKind::Reverts => false,
    }
}

/// The second look is part of the first.
struct Quietly<'d>(&'d Display);

impl Progress for Quietly<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
