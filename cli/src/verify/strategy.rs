//! Which engine works on what, and for how long. Cheap and certain first: each function on its own; what is left of a
//! contract then goes to the engines that know about sequences of transactions. First evidence wins.

use super::Task;
use super::board::{self, Board, Outcome};
use super::confirm::Confirmer;
use super::contract::{Investigation, Line, Nicety, assertions};
use super::evidence::{Attempt, By, Evidence};
use super::idle;
use super::left_out::leave_out;
use super::progress::Display;
use crate::args::{Effort, Engine, ExternalCalls, VerifyArgs};
use hornet_encoder::{
    Check, CheckKey, FunctionReport, FunctionVerdict, MAY_BE_UNREACHABLE, Options, Progress, Report,
    Selection, TIME_LIMIT, Verdict,
};
use hornet_horn::Settings;
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ContractKind, Program};
use hornet_symbolic::exec::{Trust, alone};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Checks that share one time limit: engines work on all checks of a contract at once.
const CHECKS_PER_LIMIT: usize = 4;
/// No contract gets more than so many limits.
const MOST_LIMITS: usize = 6;
/// Where there is an answer already, better evidence is looked for no longer than this part of a limit.
const PATIENCE: u32 = 4;

/// What all engines say together; the evidence is in the order of the checks.
#[derive(Serialize, Deserialize)]
pub struct Answers {
    pub report: Report,
    pub evidence: Vec<Evidence>,
    /// Of proofs by Horn clauses.
    #[serde(skip)]
    certificates: Vec<board::Certificate>,
}

pub fn decide(task: &Task, args: &VerifyArgs, progress: &Display) -> Answers {
    let options = task.options(args);
    let program = &task.loaded.program;
    let engine = |contract: ContractId| args.effort(&program.contracts[contract].name).engine;
    let chosen = program.contracts.ids().filter(|id| task.chosen.contract(*id));
    let mut engines: Vec<Engine> = chosen.map(engine).collect();
    if engines.is_empty() {
        engines.push(args.engine.engine);
    }
    let on_its_own = |engine: Engine| matches!(engine, Engine::Auto | Engine::Modular);
    if engines.iter().all(|engine| *engine == Engine::Modular) {
        let mut report = hornet_encoder::verify(program, &task.chosen, &options, progress);
        leave_out(&mut report, &args.without);
        return Answers::new(report);
    }
    let mut report = match engines.iter().any(|engine| on_its_own(*engine)) {
        true => hornet_encoder::verify(program, &task.chosen, &options, progress),
        false => unsolved(task, &options, progress),
    };
    leave_out(&mut report, &args.without);
    forget(&mut report, |contract| !on_its_own(engine(contract)));
    if args.functions.is_empty() {
        idle::dismiss(program, &task.chosen, &mut report);
    }
    let mut answers = Answers::new(report);
    let confirmer = Confirmer::new(&task.loaded, args);
    if let Some(check) = answers.report.checks.iter().find(|c| c.verdict == Verdict::Violated) {
        confirmer.get_ready(answers.report.functions[check.function].contract);
    }
    let job = Job { task, args, options, confirmer, progress };
    let open = answers.open_contracts();
    progress.contracts(open.iter().map(|contract| answers.keys_of(*contract, false).len()).sum());
    for contract in open {
        if !progress.cancelled() {
            answers.investigate(&job, contract);
        }
    }
    answers.conclude(program, |contract| engine(contract) == Engine::Modular);
    answers
}

/// Who works on what is left of a contract.
fn lines(engine: Engine) -> &'static [Line] {
    match engine {
        Engine::Modular => &[],
        Engine::Auto => &[Line::Search, Line::Proofs],
        Engine::Horn => &[Line::Horn],
        Engine::Bounded => &[Line::Search],
    }
}

/// What is the same for all contracts.
struct Job<'a> {
    task: &'a Task,
    args: &'a VerifyArgs,
    options: Options,
    confirmer: Confirmer<'a>,
    progress: &'a Display,
}

impl Job<'_> {
    /// For a contract with so many undecided checks.
    fn settings(&self, effort: &Effort, checks: usize) -> Settings {
        let Job { task, args, options, progress, .. } = self;
        Settings {
            arithmetic: options.arithmetic,
            trust: match effort.ext_calls {
                ExternalCalls::Trusted => Trust::Declared,
                ExternalCalls::Untrusted => Trust::Nobody,
            },
            solving: options.solving.clone(),
            horn: task.solvers.horn(),
            certificates: args.output.certificate.clone(),
            deadline: progress.no_later_than(Instant::now() + limit(effort.timeout, checks)),
            jobs: options.jobs,
        }
    }
}

/// All checks, with nobody asked about them.
fn unsolved(task: &Task, options: &Options, progress: &Display) -> Report {
    let mut solving = options.solving.clone();
    solving.solvers.clear();
    let (passable, times) = (options.passable.clone(), options.times.clone());
    let options = Options { solving, passable, times, ..*options };
    let mut report = hornet_encoder::verify(&task.loaded.program, &task.chosen, &options, progress);
    forget(&mut report, |_| true);
    report
}

/// Takes back what solvers said about some contracts.
fn forget(report: &mut Report, which: impl Fn(ContractId) -> bool) {
    for check in &mut report.checks {
        if !which(report.functions[check.function].contract) {
            continue;
        }
        let asked = check.solver.take().is_some() && !matches!(check.verdict, Verdict::Unsupported { .. });
        if asked || matches!(check.verdict, Verdict::Unknown(_)) {
            check.verdict = Verdict::Unknown(NOT_FOUND.to_owned());
            check.counterexample = None;
            check.related.clear();
        }
    }
}

const NOT_FOUND: &str = "neither a proof nor a run that breaks it was found";

impl Answers {
    fn new(report: Report) -> Answers {
        let own = |check: &Check| {
            let attempt = Attempt { by: By::Modular, time: check.time, broken: false };
            let attempts = if check.solver.is_some() { vec![attempt] } else { Vec::new() };
            Evidence { attempts, ..Evidence::default() }
        };
        let evidence = report.checks.iter().map(own).collect();
        Answers { report, evidence, certificates: Vec::new() }
    }

    /// How many files with what proofs rest on were written, and what kept others from it.
    pub fn certificates(&self) -> (usize, Vec<&str>) {
        let files: BTreeSet<&PathBuf> = self.certificates.iter().flatten().collect();
        let failed = self.certificates.iter().filter_map(|written| written.as_ref().err());
        (files.len(), failed.map(String::as_str).collect())
    }

    /// Contracts with something undecided, in the order of the report.
    fn open_contracts(&self) -> Vec<ContractId> {
        let mut contracts = Vec::new();
        for check in self.report.checks.iter().filter(|c| c.verdict != Verdict::Proved) {
            let contract = self.report.functions[check.function].contract;
            if !contracts.contains(&contract) {
                contracts.push(contract);
            }
        }
        contracts
    }

    fn keys_of(&self, contract: ContractId, proved: bool) -> Vec<CheckKey> {
        let checks = self.report.checks.iter().filter(|c| (c.verdict == Verdict::Proved) == proved);
        let mut keys: Vec<CheckKey> =
            checks.map(|c| self.report.key(c)).filter(|k| k.contract == contract).collect();
        keys.dedup();
        keys
    }

    /// Annotations that each function on its own is known to break: nothing but a run that shows how is wanted.
    fn answered(&self, contract: ContractId) -> Vec<CheckKey> {
        let checks = self.report.checks.iter();
        let broken = checks.filter(|c| c.verdict == Verdict::Violated && !c.kind.is_language_check());
        broken.map(|c| self.report.key(c)).filter(|key| key.contract == contract).collect()
    }

    fn investigate(&mut self, job: &Job<'_>, contract: ContractId) {
        let program = &job.task.loaded.program;
        let open = self.keys_of(contract, false);
        job.progress.contract(&program.contracts[contract].name, open.len());
        let effort = job.args.effort(&program.contracts[contract].name);
        if lines(effort.engine).is_empty() {
            return;
        }
        let answered = self.answered(contract);
        let stated = [open.as_slice(), &self.keys_of(contract, true)].concat();
        let memory = job.task.memory.as_ref();
        let about = format!("{:?}", (&open, &answered, &stated));
        let question = memory.and_then(|m| m.contract(job.args, &job.task.loaded, contract, &about));
        let recalled = memory.zip(question.as_ref()).and_then(|(m, question)| m.recall_contract(question));
        if let Some(results) = recalled.filter(|results| results.len() == open.len()) {
            self.note_all(&open, &results);
            return;
        }
        let settings = job.settings(&effort, open.len());
        let seen = alone(program, contract, settings.trust);
        // With functions left out, nothing is known about assertions in these.
        let complete = job.args.functions.is_empty();
        let places = if complete { assertions(open.iter()) } else { Vec::new() };
        let proved = if complete { assertions(self.keys_of(contract, true).iter()) } else { Vec::new() };
        let proved = proved.into_iter().map(|(span, _)| span);
        let known = proved.filter(|span| places.iter().all(|(other, _)| other != span)).collect();
        let board = Board::new(open.iter().cloned());
        let nicety = Nicety { keys: answered, until: Instant::now() + effort.timeout / PATIENCE };
        let Job { task, args, options, confirmer, progress, .. } = job;
        let investigation = Investigation {
            program,
            seen: &seen,
            contract,
            settings,
            options,
            stated,
            known,
            places,
            board,
            nicety,
            sources: &task.loaded.sources,
            test_out: args.output.test_out.as_deref(),
            confirmer,
            progress,
        };
        investigation.run(lines(effort.engine));
        self.certificates.extend(investigation.board.certificates());
        let results = investigation.board.results();
        // What is open when a run is cut short may be decided in the next.
        let in_full = !job.progress.cancelled()
            && (args.solver.total_timeout.is_none() || !results.iter().any(|r| r.outcome.is_open()));
        if let (Some(memory), Some(question), true) = (memory, question, in_full) {
            memory.keep_contract(&question, &results);
        }
        self.note_all(&open, &results);
    }

    fn note_all(&mut self, keys: &[CheckKey], results: &[board::Result]) {
        for (key, result) in keys.iter().zip(results) {
            self.note(key, result);
        }
    }

    /// Enters what was found out about a check.
    fn note(&mut self, key: &CheckKey, result: &board::Result) {
        let board::Result { outcome, attempts, remark } = result;
        for i in 0..self.report.checks.len() {
            if self.report.checks[i].verdict == Verdict::Proved
                || self.report.key(&self.report.checks[i]) != *key
            {
                continue;
            }
            let (check, evidence) = (&mut self.report.checks[i], &mut self.evidence[i]);
            evidence.attempts.extend_from_slice(attempts);
            match outcome {
                Outcome::Open { doubts } => {
                    evidence.remark.clone_from(remark);
                    // An annotation that fails from some state does so whether or not a run to it can be watched.
                    let stands = check.verdict == Verdict::Violated && !check.kind.is_language_check();
                    if let Some(doubt) = doubts.iter().find(|doubt| doubt.disproved || !stands) {
                        check.verdict = Verdict::Unknown(format!("{DISBELIEVED} {}", doubt.why));
                        evidence.run = Some(doubt.told.clone());
                    }
                }
                Outcome::Violated { by, found } => {
                    check.verdict = Verdict::Violated;
                    check.counterexample = None;
                    evidence.by = *by;
                    evidence.confirmed = found.unconfirmed.is_none();
                    evidence.unconfirmed.clone_from(&found.unconfirmed);
                    evidence.run = Some(found.told.clone());
                }
                Outcome::Contradiction { by, found } => {
                    let why =
                        format!("internal error: proved ({}), but a run on the EVM breaks it", by.words());
                    check.verdict = Verdict::Unknown(why);
                    check.counterexample = None;
                    evidence.run = Some(found.told.clone());
                }
                Outcome::Proved { by, invariants } => {
                    check.verdict = Verdict::Proved;
                    check.counterexample = None;
                    check.related.clear();
                    evidence.by = *by;
                    evidence.invariants.clone_from(invariants);
                }
            }
        }
    }

    /// What nobody decided, and what that means for functions.
    /// Where each function stands `alone`, states that no run may lead to count as well.
    fn conclude(&mut self, program: &Program, alone: impl Fn(ContractId) -> bool) {
        for (check, evidence) in self.report.checks.iter_mut().zip(&mut self.evidence) {
            let id = self.report.functions[check.function].contract;
            let in_some_state = check.verdict == Verdict::Violated
                && evidence.by == By::Modular
                && check.kind.is_language_check();
            if alone(id) || !in_some_state {
                continue;
            }
            if program.contracts[id].kind == ContractKind::Library {
                evidence.unconfirmed = Some(FOR_SOME_CALLER.to_owned());
            } else {
                check.verdict = Verdict::Unknown(IN_SOME_STATE.to_owned());
            }
        }
        for i in 0..self.report.functions.len() {
            let checks: Vec<&Check> = self.report.checks.iter().filter(|c| c.function == i).collect();
            let verdict = function_verdict(&checks, &self.report.functions[i]);
            self.report.functions[i].verdict = verdict;
        }
    }
}

const DISBELIEVED: &str = "a run that should break it was found, but";
const IN_SOME_STATE: &str = "fails in a state that was not shown to be reachable";
const FOR_SOME_CALLER: &str = "a library runs for whoever calls it, and no caller was tried on the EVM";

/// For all undecided checks of a contract.
fn limit(time: Duration, checks: usize) -> Duration {
    time * checks.div_ceil(CHECKS_PER_LIMIT).clamp(1, MOST_LIMITS) as u32
}

/// As the modular engine sees it: a call that the language undoes breaks no promise of its function.
pub fn function_verdict(checks: &[&Check], function: &FunctionReport) -> FunctionVerdict {
    let any = |wanted: &dyn Fn(&Verdict) -> bool| checks.iter().any(|c| wanted(&c.verdict));
    let unknown =
        |v: &Verdict, wanted: &dyn Fn(&str) -> bool| matches!(v, Verdict::Unknown(reason) if wanted(reason));
    if any(&|v| *v == Verdict::Violated) {
        FunctionVerdict::Error
    } else if any(&|v| matches!(v, Verdict::Unsupported { .. }))
        || (checks.is_empty() && !function.unsupported.is_empty())
    {
        FunctionVerdict::Skipped
    } else if any(&|v| unknown(v, &|reason| reason == TIME_LIMIT)) {
        FunctionVerdict::TimeOut
    } else if any(&|v| unknown(v, &|reason| reason != MAY_BE_UNREACHABLE)) {
        FunctionVerdict::Inconclusive
    } else {
        FunctionVerdict::Ok
    }
}
