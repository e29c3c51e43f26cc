//! Proofs over any number of transactions.

use crate::Settings;
use crate::clauses::{Facts, clauses};
use crate::contract::{Followed, follow, has_sums};
use crate::explain::invariants;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::span::Span;
use hornet_smt::solver::horn::{self, Clause, Model, System};
use hornet_smt::solver::{Limits, Reason};
use hornet_symbolic::exec::{AllEffects, CheckKey, Passable, Place, Trust};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Checks that hold on all runs, and why.
#[derive(Clone, Debug)]
pub struct Proof {
    pub checks: Vec<CheckKey>,
    pub invariants: Vec<Invariant>,
    /// Where it is written down, or why it is not, if that was asked for.
    pub certificate: Option<Result<PathBuf, String>>,
}

/// Something that holds whenever control is at some place.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub place: Place,
    /// As a Solidity expression, if it can be written as one.
    pub text: Option<String>,
    /// As an annotation the text says the same, overflow included.
    pub exact: bool,
}

/// What others do meanwhile.
pub struct Watch<'a> {
    /// Somebody wants everything to end.
    pub stop: &'a AtomicBool,
    /// Whether nobody else has decided a check.
    pub matters: &'a dyn Fn(&CheckKey) -> bool,
}

/// Why a check was not proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Open {
    /// The clauses admit a run that breaks it, which may use more than the contract can do.
    Refuted,
    /// Nobody found invariants, for this reason.
    Undecided(String),
}

/// Tries to prove checks of a contract, some of those that are `stated`. `known` are places of assertions that hold. Tells
/// of each proof as soon as it is there; the answer is about the other checks.
#[allow(clippy::too_many_arguments)]
pub fn prove(
    program: &Program,
    contract: ContractId,
    wanted: &[CheckKey],
    stated: &[CheckKey],
    known: &FxHashSet<Span>,
    settings: &Settings,
    watch: &Watch<'_>,
    tell: &mut dyn FnMut(Proof),
) -> Vec<(CheckKey, Open)> {
    let effects = AllEffects::new(program);
    let mut tasks = Vec::new();
    let mut why_not = "no time was left for it".to_owned();
    // Sums decide what nothing else does, and are a burden where they do not.
    for sums in [false, true] {
        if sums && !has_sums(program, contract) {
            continue;
        }
        let passable = Passable::AllBut(known.clone());
        match follow(program, &effects, contract, passable, sums, settings, watch.stop)
            .map(|f| Task::new(f, wanted, stated))
        {
            Ok(Some(task)) => tasks.push(task),
            Ok(None) => why_not = "too many ways through the code".to_owned(),
            Err(why) => why_not = why.0,
        }
    }
    let mut open: FxHashMap<CheckKey, Open> =
        wanted.iter().map(|key| (key.clone(), Open::Undecided(why_not.clone()))).collect();
    Attempts { tasks: &mut tasks, open: &mut open, settings, watch, tell }.run();
    wanted.iter().filter_map(|key| open.remove_entry(key)).collect()
}

/// Whether a check must hold for another to be proved: it is the same, or the same code as part of a function for which
/// nobody states it, because others follow calls less deep.
fn speaks_about(key: &CheckKey, check: &CheckKey, stated: &[CheckKey]) -> bool {
    let place = |key: &CheckKey| (key.contract, key.kind, key.span, key.annotation);
    let same = place(key) == place(check) && key.message == check.message;
    key == check || (same && !stated.contains(check))
}

/// How long is tried for each check, first of all.
const FIRST_SLICE: Duration = Duration::from_secs(1);

/// How long invariants are made shorter.
const PATIENCE_FOR_BEAUTY: Duration = Duration::from_millis(300);

/// Goes on trying until everything is proved or time is up.
struct Attempts<'a, 'p> {
    tasks: &'a mut [Task<'p>],
    /// Checks that are not proved yet, and why.
    open: &'a mut FxHashMap<CheckKey, Open>,
    settings: &'a Settings,
    watch: &'a Watch<'a>,
    tell: &'a mut dyn FnMut(Proof),
}

impl Attempts<'_, '_> {
    /// All at once, if that works; else one after the other, with growing patience.
    fn run(&mut self) {
        let whole = self.settings.solving.limits.time;
        let mut slice = FIRST_SLICE.min(whole);
        // Otherwise that is what verification of each function on its own has tried.
        if self.settings.trust == Trust::Declared && !self.tasks.is_empty() {
            for key in self.candidates(0) {
                if self.tasks[0].attempt_anywhere(&key, self.settings, self.watch.stop, self.tell) {
                    self.open.remove(&key);
                }
            }
        }
        for at in 0..self.tasks.len() {
            let chosen = self.candidates(at);
            if chosen.len() > 1 {
                self.attempt(at, &chosen, slice);
            }
        }
        loop {
            for at in 0..self.tasks.len() {
                for key in self.candidates(at) {
                    if self.watch.stop.load(Ordering::Relaxed) || Instant::now() >= self.settings.deadline {
                        return;
                    }
                    if (self.watch.matters)(&key) {
                        self.attempt(at, &[key], slice);
                    }
                }
            }
            if slice >= whole || (0..self.tasks.len()).all(|at| self.candidates(at).is_empty()) {
                return;
            }
            slice = (slice * 4).min(whole);
        }
    }

    /// What a task may still prove, in the order of the source.
    fn candidates(&self, at: usize) -> Vec<CheckKey> {
        let task = &self.tasks[at];
        let stated = task.wanted.iter().map(|(key, _)| key);
        let candidate = |key: &&CheckKey| self.open.contains_key(*key) && !task.refuted.contains(key);
        stated.filter(candidate).filter(|key| (self.watch.matters)(key)).cloned().collect()
    }

    fn attempt(&mut self, at: usize, chosen: &[CheckKey], slice: Duration) {
        match self.tasks[at].attempt(chosen, slice, self.settings, self.watch.stop, self.tell) {
            None => chosen.iter().for_each(|key| {
                self.open.remove(key);
            }),
            Some(why) => {
                match chosen {
                    [key] => {
                        if why == Open::Refuted {
                            self.tasks[at].refuted.push(key.clone());
                        }
                        self.open.insert(key.clone(), why);
                    }
                    // Each may still be decided on its own.
                    several if why != Open::Refuted => {
                        self.open.extend(several.iter().map(|key| (key.clone(), why.clone())));
                    }
                    _ => {}
                }
            }
        }
    }
}

/// What is demanded of the predicates, and what is to be shown with them.
struct Task<'p> {
    followed: Followed<'p>,
    demands: Vec<Clause>,
    wanted: Vec<(CheckKey, Vec<Clause>)>,
    /// These clauses do not suffice for them.
    refuted: Vec<CheckKey>,
}

impl<'p> Task<'p> {
    /// `None` if the clauses are too many.
    fn new(mut followed: Followed<'p>, wanted: &[CheckKey], stated: &[CheckKey]) -> Option<Task<'p>> {
        let facts = Facts::new(&followed.ex.cx);
        let mut demands = Vec::new();
        for demand in followed.ex.unknowns.demands.clone() {
            let head = Some(demand.head);
            demands.extend(clauses(&mut followed.ex.cx, &facts, &demand.what, demand.body, head)?);
        }
        let mut queries: Vec<(CheckKey, Vec<Clause>)> = Vec::new();
        for query in &followed.queries {
            let mut failures = Vec::new();
            for failure in &query.failures {
                if followed.ex.cx.terms.as_bool(*failure) != Some(false) {
                    failures.extend(clauses(&mut followed.ex.cx, &facts, "failure", *failure, None)?);
                }
            }
            let Some(check) = &query.check else {
                demands.extend(failures);
                continue;
            };
            let is_blocked = |key: &CheckKey| followed.blocked.iter().any(|b| speaks_about(key, b, stated));
            let about = wanted.iter().filter(|key| speaks_about(key, check, stated));
            for key in about.filter(|key| !is_blocked(key)) {
                match queries.iter_mut().find(|(other, _)| other == key) {
                    Some((_, more)) => more.extend(failures.iter().cloned()),
                    None => queries.push((key.clone(), failures.clone())),
                }
            }
        }
        Some(Task { followed, demands, wanted: queries, refuted: Vec::new() })
    }

    /// What has to be shown for some of the checks.
    fn system(&self, chosen: &[CheckKey]) -> System {
        let queries = self.wanted.iter().filter(|(key, _)| chosen.contains(key)).flat_map(|(_, q)| q);
        System { clauses: self.demands.iter().chain(queries).cloned().collect() }
    }

    /// Whether a check holds whatever state the contract is in.
    fn attempt_anywhere(
        &mut self,
        key: &CheckKey,
        settings: &Settings,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Proof),
    ) -> bool {
        let system = self.system(std::slice::from_ref(key));
        let left = settings.deadline.saturating_duration_since(Instant::now());
        let mut options = settings.solving.clone();
        options.limits.time = FIRST_SLICE.min(left);
        let terms = &mut self.followed.ex.cx.terms;
        let Some(model) = horn::prove_anywhere(terms, &system, &options, stop) else { return false };
        let checks = vec![key.clone()];
        let certificate = self.certificate(&checks, &system, &model, settings);
        tell(Proof { checks, invariants: Vec::new(), certificate });
        true
    }

    /// Proves some of the checks together; else says why not.
    fn attempt(
        &mut self,
        chosen: &[CheckKey],
        slice: Duration,
        settings: &Settings,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Proof),
    ) -> Option<Open> {
        let system = self.system(chosen);
        let left = settings.deadline.saturating_duration_since(Instant::now());
        let limits = Limits { time: slice.min(left), ..settings.solving.limits };
        let terms = &mut self.followed.ex.cx.terms;
        match horn::prove(terms, &system, &settings.horn, limits, &settings.solving, stop) {
            horn::Proof::Safe { model, .. } => {
                let checks = chosen.to_vec();
                let certificate = self.certificate(&checks, &system, &model, settings);
                let model = self.shortened(&system, model, settings, stop);
                tell(Proof { checks, invariants: invariants(&self.followed.ex, &model), certificate });
                None
            }
            horn::Proof::Unsafe => Some(Open::Refuted),
            horn::Proof::Unknown(reason) => Some(Open::Undecided(in_words(&reason))),
        }
    }

    /// Invariants for people: only what the proof needs.
    fn shortened(&mut self, system: &System, model: Model, settings: &Settings, stop: &AtomicBool) -> Model {
        let Some(solver) = settings.solving.solvers.first() else { return model };
        let limits = Limits { time: PATIENCE_FOR_BEAUTY, ..settings.solving.limits };
        horn::simplify_model(&mut self.followed.ex.cx.terms, system, &model, solver, limits, stop)
    }

    fn certificate(
        &mut self,
        checks: &[CheckKey],
        system: &System,
        model: &Model,
        settings: &Settings,
    ) -> Option<Result<PathBuf, String>> {
        let folder = settings.certificates.as_ref()?;
        let first = checks.first()?;
        let contract = &self.followed.ex.program.contracts[first.contract].name;
        let name = format!("{contract}-{}-{}", first.span.start, checks.len());
        let terms = &mut self.followed.ex.cx.terms;
        Some(horn::write_certificate(folder, &name, terms, system, model).map_err(|e| e.to_string()))
    }
}

fn in_words(reason: &Reason) -> String {
    match reason {
        Reason::TimeOut => "the time limit was reached".to_owned(),
        Reason::Memory => "the memory limit was reached".to_owned(),
        Reason::Crashed(how) => format!("the solver ended unexpectedly: {how}"),
        Reason::Stopped => "the work was stopped".to_owned(),
        Reason::GaveUp(why) => format!("the solver gave up: {why}"),
    }
}
