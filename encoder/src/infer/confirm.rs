//! The last word: candidates as ordinary invariants, verified by processes that know nothing of the search.

use super::Only;
use super::attach::with_invariants;
use super::candidate::{Candidate, Home};
use super::clock::Clock;
use crate::job::Job;
use crate::options::{Options, Silent};
use crate::report::{Report, Verdict};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ObligationKind, Program};
use hornet_smt::solver::Limits;
use hornet_symbolic::exec::{CheckKey, Passable, Subject, Target, Views, targets};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::time::Duration;

/// How verification ended.
#[derive(Default)]
pub struct Confirmation {
    /// Indices of the candidates that are not proved to hold always.
    pub broken: Vec<usize>,
    /// The wanted checks that are proved; empty if annotations of the user are not, since they are relied on.
    pub proved: FxHashSet<CheckKey>,
}

const EACH_CHECK: Duration = Duration::from_secs(5);

pub fn confirm(
    program: &Program,
    contract: ContractId,
    candidates: &[&Candidate],
    wanted: &FxHashSet<CheckKey>,
    options: &Options,
    clock: &Clock<'_>,
) -> Confirmation {
    let program = with_invariants(program, contract, candidates.iter().copied());
    let views = Views::of_whole(&program);
    let is_wanted = |target: &Target, subject: &Subject| {
        subject.annotation.is_some()
            || subject.kind == ObligationKind::Assertion
            || wanted.contains(&subject.key(target))
    };
    let mut solving = options.solving.clone();
    solving.fresh = true;
    solving.limits = Limits { time: clock.at_most(EACH_CHECK.min(solving.limits.time)), ..solving.limits };
    let options = Options { solving, passable: Passable::None, times: BTreeMap::new(), ..*options };
    let job = Job {
        program: &program,
        views: &views,
        options: &options,
        progress: &Silent,
        stop: clock.stop,
        wanted: &is_wanted,
    };
    let report = job.verify(targets(&program, &Only(contract)));
    judge(candidates, wanted, &report)
}

fn judge(candidates: &[&Candidate], wanted: &FxHashSet<CheckKey>, report: &Report) -> Confirmation {
    let mut outcome = Confirmation::default();
    // Nothing is known of runs that get to code that is not modelled, so nothing holds after every call.
    if report.functions.iter().any(|f| !f.unsupported.is_empty()) {
        let of_contract = candidates.iter().enumerate().filter(|(_, c)| c.home == Home::Contract);
        outcome.broken.extend(of_contract.map(|(at, _)| at));
    }
    let mut failed = FxHashSet::default();
    let mut is_sound = true;
    for check in &report.checks {
        let key = report.key(check);
        match &check.annotation {
            Some((_, text)) if check.verdict != Verdict::Proved => {
                let ours = candidates.iter().enumerate().filter(|(_, c)| c.text == *text);
                let ours: Vec<usize> = ours.map(|(at, _)| at).collect();
                is_sound &= !ours.is_empty();
                outcome.broken.extend(ours);
            }
            Some(_) => {}
            None if check.verdict == Verdict::Proved => {
                outcome.proved.insert(key);
            }
            None => {
                failed.insert(key);
            }
        }
    }
    // What people wrote is relied on, too.
    outcome.proved.retain(|key| is_sound && wanted.contains(key) && !failed.contains(key));
    outcome
}
