//! Modular verification: each function on its own, against the specifications of what it calls.
//!
//! The rules are those of solc-verify: invariants hold before and after public functions and before calls to others;
//! loops are cut at their invariants; specified functions are replaced by their specification, others followed into.

mod counterexample;
mod options;
mod report;
mod solve;

pub use hornet_symbolic::exec::{All, CheckKey, Passable, Selection, body_of};
pub use options::{Arithmetic, Options, Progress, Silent};
pub use report::{Binding, Check, Counterexample, FunctionReport, FunctionVerdict, Report, Verdict, Warning};

use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::Program;
use hornet_symbolic::exec::{AllEffects, Executor, Target, function_target, targets};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use solve::{Answers, solve};
pub use solve::{MAY_BE_UNREACHABLE, TIME_LIMIT};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Verifies what `selection` names. The order of the report does not depend on the number of threads.
pub fn verify(
    program: &Program,
    selection: &dyn Selection,
    options: &Options,
    progress: &dyn Progress,
) -> Report {
    let effects = AllEffects::new(program);
    let todo = targets(program, selection);
    progress.planned(todo.len());
    let job = Job { program, effects: &effects, options, progress, stop: AtomicBool::new(false) };
    std::thread::scope(|scope| {
        // Closed when the work is over, however it ends.
        let (_working, over) = mpsc::channel::<()>();
        let job = &job;
        scope.spawn(move || job.watch(&over));
        job.verify(todo)
    })
}

struct Job<'a> {
    program: &'a Program,
    effects: &'a AllEffects,
    options: &'a Options,
    progress: &'a dyn Progress,
    stop: AtomicBool,
}

/// How often somebody looks whether the work should end.
const GLANCE: Duration = Duration::from_millis(20);

impl Job<'_> {
    fn verify(&self, mut todo: Vec<Target>) -> Report {
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
                        next.extend(self.inner_target(target.contract, proc));
                    }
                }
                add(&mut report, &target, answers, time);
            }
            todo = next;
        }
        report
    }

    /// The target for a function that is only called from inside, such as one of a base that was overridden.
    fn inner_target(&self, contract: ContractId, proc: ProcId) -> Option<Target> {
        let target = function_target(self.program, contract, proc, proc)?;
        let declared_in = self.program.procs[proc].function.as_ref()?.declared_in;
        let base =
            declared_in.filter(|base| *base != contract).map(|base| &self.program.contracts[base].name);
        let name = base.map_or(target.name.clone(), |base| format!("{base}.{}", target.name));
        Some(Target { name, ..target })
    }

    /// Stops solvers in the middle of their work when it is cancelled.
    fn watch(&self, over: &mpsc::Receiver<()>) {
        while over.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            if self.progress.cancelled() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn run_all(&self, targets: &[Target]) -> Vec<(Answers, Vec<ProcId>, Duration)> {
        let run = || targets.par_iter().map(|target| self.run(target)).collect();
        match rayon::ThreadPoolBuilder::new().num_threads(self.options.jobs).stack_size(256 << 20).build() {
            Ok(pool) => pool.install(run),
            Err(_) => targets.iter().map(|target| self.run(target)).collect(),
        }
    }

    fn run(&self, target: &Target) -> (Answers, Vec<ProcId>, Duration) {
        let contract = &self.program.contracts[target.contract].name;
        self.progress.started(contract, &target.name);
        let start = Instant::now();
        let options = self.options;
        let mut ex = Executor::new(
            self.program,
            self.effects,
            target.contract,
            options.arithmetic,
            options.inline_depth,
            target.span,
        );
        ex.passable = options.passable.clone();
        let sanity = ex.verify(target);
        let answers = solve(&mut ex, target, 0, &sanity, options, &self.stop);
        self.progress.finished(contract, &target.name, answers.verdict);
        (answers, ex.relied_on, start.elapsed())
    }
}

fn add(report: &mut Report, target: &Target, answers: Answers, time: Duration) {
    let function = report.functions.len();
    report.functions.push(FunctionReport {
        contract: target.contract,
        body: target.body(),
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
