//! Functions verified one by one, and the functions that these rely on.

use crate::options::{Options, Progress};
use crate::report::{Check, FunctionReport, Report, Verdict};
use crate::solve::{Answers, solve};
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::Span;
use hornet_symbolic::exec::{AfterFailure, Executor, Passable, Subject, Target, Views, function_target};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

pub struct Job<'a> {
    pub program: &'a Program,
    /// The program again, as the contract of each target sees it.
    pub views: &'a Views<'a>,
    pub options: &'a Options,
    pub progress: &'a dyn Progress,
    pub stop: &'a AtomicBool,
    /// Which checks are decided; of the others the report says nothing that counts.
    pub wanted: &'a (dyn Fn(&Target, &Subject) -> bool + Sync),
}

pub fn everything(_: &Target, _: &Subject) -> bool {
    true
}

type Outcome = (Answers, Vec<ProcId>, Duration);

/// How often somebody looks whether the work should end.
pub const GLANCE: Duration = Duration::from_millis(20);

impl Job<'_> {
    pub fn verify(&self, mut todo: Vec<Target>) -> Report {
        let mut report = Report::default();
        // In this run, not in some other: what an imported file claims is as good as our own look at it.
        let on_its_own: FxHashSet<ProcId> =
            todo.iter().filter_map(|t| t.verified_inside(self.program)).collect();
        let mut done: FxHashSet<(ContractId, ProcId)> = FxHashSet::default();
        while !todo.is_empty() {
            let answers = self.run_all(&todo);
            let mut next = Vec::new();
            for (target, (answers, relied_on, time)) in todo.into_iter().zip(answers) {
                // Code that was not followed into is verified on its own.
                for proc in relied_on {
                    if !on_its_own.contains(&proc) && done.insert((target.contract, proc)) {
                        next.extend(inner_target(self.program, target.contract, proc));
                    }
                }
                add(&mut report, &target, answers, time);
            }
            todo = next;
        }
        report
    }

    /// Stops solvers in the middle of their work when it is cancelled.
    pub fn watch(&self, over: &mpsc::Receiver<()>) {
        while over.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            if self.progress.cancelled() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn run_all(&self, targets: &[Target]) -> Vec<Outcome> {
        let run = || targets.par_iter().map(|target| self.run(target)).collect();
        match rayon::ThreadPoolBuilder::new().num_threads(self.options.jobs).stack_size(256 << 20).build() {
            Ok(pool) => pool.install(run),
            Err(_) => targets.iter().map(|target| self.run(target)).collect(),
        }
    }

    /// Verifies one target. An assertion that is not proved does not stop runs: a proof never rests on a check that may
    /// fail. Those that are proved may stop them, all at once: a run that breaks some breaks one of them first.
    fn run(&self, target: &Target) -> Outcome {
        let contract = &self.program.contracts[target.contract].name;
        self.progress.started(contract, &target.name);
        let start = Instant::now();
        let mut passable = self.options.passable.clone();
        let mut attempts = 0;
        let (answers, relied_on) = loop {
            let (mut answers, relied_on) = self.attempt(target, &passable);
            attempts += 1;
            let failing = answers.checks.iter().filter(|c| {
                let unproved = c.verdict != Verdict::Proved;
                c.kind == ObligationKind::Assertion
                    && unproved
                    && passable.after_failure(c.span) == AfterFailure::Stops
            });
            let failing: Vec<Span> = failing.map(|c| c.span).collect();
            if failing.is_empty() {
                break (answers, relied_on);
            }
            if self.stop.load(Ordering::Relaxed) {
                answers.withdraw_proofs();
                break (answers, relied_on);
            }
            passable.add(failing);
            if attempts == ATTEMPTS {
                // One after the other would take too long: from now on nothing rests on any of them.
                let all = answers.checks.iter().filter(|c| c.kind == ObligationKind::Assertion);
                passable.add(all.map(|c| c.span));
            }
        };
        self.progress.finished(contract, &target.name, answers.verdict);
        (answers, relied_on, start.elapsed())
    }

    fn attempt(&self, target: &Target, passable: &Passable) -> (Answers, Vec<ProcId>) {
        let options = self.options;
        let (program, effects) = self.views.of(target.contract);
        let mut ex = Executor::new(
            program,
            effects,
            target.contract,
            options.arithmetic,
            options.inline_depth,
            target.span,
        );
        ex.passable = passable.clone();
        ex.states_ether = self.options.states_ether;
        let sanity = ex.verify(target);
        ex.goals.retain(|goal| (self.wanted)(target, &goal.subject));
        let answers = solve(&mut ex, target, 0, &sanity, options, self.stop);
        (answers, ex.relied_on)
    }
}

/// How often a function is looked at again because an assertion that stopped runs is not proved.
const ATTEMPTS: u32 = 2;

fn add(report: &mut Report, target: &Target, answers: Answers, time: Duration) {
    let function = report.functions.len();
    report.functions.push(FunctionReport {
        contract: target.contract,
        body: target.body(),
        inside: target.is_inside(),
        name: target.name.clone(),
        signature: target.signature.clone(),
        span: target.span,
        verdict: answers.verdict,
        unsupported: answers.unsupported,
        own: target.own,
        time,
    });
    report.checks.extend(answers.checks.into_iter().map(|check| Check { function, ..check }));
    report.warnings.extend(answers.warnings);
}

/// The target for a function that is only called from inside, such as one of a base that was overridden.
pub fn inner_target(program: &Program, contract: ContractId, proc: ProcId) -> Option<Target> {
    let target = function_target(program, contract, proc, proc)?;
    let declared_in = program.procs[proc].function.as_ref()?.declared_in;
    let base = declared_in.filter(|base| *base != contract).map(|base| &program.contracts[base].name);
    let name = base.map_or(target.name.clone(), |base| format!("{base}.{}", target.name));
    Some(Target { name, ..target })
}
