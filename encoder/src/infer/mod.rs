//! Invariants that nobody wrote: claims of common forms, mined from the code, are proposed, and those that some function
//! breaks are thrown out until the rest holds always (Houdini).
//!
//! Nothing depends on the search being right: what it finds is verified in the end like annotations, by solver processes
//! that have seen nothing of it.

mod attach;
mod candidate;
mod clock;
mod confirm;
mod element_templates;
mod houdini;
mod loop_templates;
mod mine;
mod notation;
mod probe;
mod rewrite;
mod state_templates;
mod sum_templates;

use crate::job::GLANCE;
use crate::options::Options;
use attach::{add_switch, span_of, with_switches};
use candidate::{Candidate, Home, Pool};
use clock::Clock;
pub use clock::Patience;
use confirm::confirm;
use hornet_ir::ids::{ContractId, ExprId, StateVarId};
use hornet_ir::program::{ContractKind, ObligationKind, Program};
use hornet_ir::span::Span;
use hornet_smt::solver::{Solver, SolverKind};
use hornet_symbolic::exec::{AllEffects, CheckKey, Selection, calls_itself, targets};
use houdini::Search;
use loop_templates::{Loop, loops};
use mine::Mined;
use probe::Lab;
use rustc_hash::{FxHashMap, FxHashSet};
use state_templates::Vocabulary;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Inferred {
    pub proved: Vec<Proof>,
    pub invariants: Vec<Invariant>,
    /// Whether more patience might find more.
    pub impatient: bool,
}

#[derive(Clone, Debug)]
pub struct Proof {
    pub check: CheckKey,
    /// Indices into [`Inferred::invariants`]: what it rests on, besides annotations.
    pub invariants: Vec<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub place: Place,
    /// In Solidity's notation, as an annotation would say it.
    pub text: String,
    /// As an annotation it is verified as it was here: what a contract calls of itself is followed here, and would have to
    /// keep up what is annotated.
    pub exact: bool,
}

/// Where an annotation would stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Contract(Span),
    Loop(Span),
}

/// The engine follows code recursively.
const STACK: usize = 256 << 20;

/// Proves what it can of `wanted`, checks of one contract that are not decided otherwise.
pub fn infer(
    program: &Program,
    contract: ContractId,
    wanted: &[CheckKey],
    options: &Options,
    deadline: Instant,
    patience: Patience,
    stop: &AtomicBool,
) -> Inferred {
    let Some(solver) = chosen_solver(options) else { return Inferred::default() };
    let wanted: FxHashSet<CheckKey> = wanted.iter().filter(|key| key.contract == contract).cloned().collect();
    if wanted.is_empty() {
        return Inferred::default();
    }
    let halt = AtomicBool::new(false);
    let impatient = AtomicBool::new(false);
    let clock = Clock { deadline, patience, stop: &halt, impatient: &impatient };
    let work = || Inference { contract, wanted, options, solver, clock }.run(program);
    let found = std::thread::scope(|scope| {
        // Closed when the work is over, however it ends.
        let (_working, over) = mpsc::channel::<()>();
        let halt = &halt;
        scope.spawn(move || watch(&over, deadline, stop, halt));
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_default()
    });
    Inferred { impatient: impatient.into_inner(), ..found }
}

/// Stops solvers in the middle of their work.
fn watch(over: &mpsc::Receiver<()>, deadline: Instant, stop: &AtomicBool, halt: &AtomicBool) {
    while over.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
        if stop.load(Ordering::Relaxed) || Instant::now() >= deadline {
            halt.store(true, Ordering::Relaxed);
        }
    }
}

/// Models are asked for all the time: Z3 gives them for everything.
fn chosen_solver(options: &Options) -> Option<&Solver> {
    let solvers = &options.solving.solvers;
    solvers.iter().find(|solver| solver.kind == SolverKind::Z3).or(solvers.first())
}

struct Inference<'a> {
    contract: ContractId,
    wanted: FxHashSet<CheckKey>,
    options: &'a Options,
    solver: &'a Solver,
    clock: Clock<'a>,
}

/// How many candidates are tried at a time.
const ROOM: usize = 320;

/// Of the time that is left, so much goes to one stage.
const SHARE: f64 = 0.6;

/// What is tried, the cheap and likely first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Simple,
    Sums,
    Decisions,
    Relations,
    Elements,
}

const STAGES: [Stage; 5] = [Stage::Simple, Stage::Sums, Stage::Decisions, Stage::Relations, Stage::Elements];

impl Inference<'_> {
    fn run(&self, program: &Program) -> Inferred {
        let mut pool = Pool::new(program.clone(), self.contract);
        let effects = AllEffects::new(program);
        let mined = Mined::new(&mut pool.program, self.contract);
        let vocabulary = Vocabulary::new(&mut pool.program, self.contract);
        let loops = loops(&pool.program, &effects, &mined);
        let mut inferred = Inferred::default();
        let mut plan = Plan::default();
        let mut survivors: Vec<Candidate> = Vec::new();
        let mut tried: Vec<Candidate> = Vec::new();
        for stage in STAGES {
            tried.append(&mut pool.candidates);
            let surviving: FxHashSet<_> = survivors.iter().map(Candidate::identity).collect();
            let failed = tried.iter().filter(|c| !surviving.contains(&c.identity()));
            let failed: Vec<ExprId> = failed.filter(|c| c.home == Home::Contract).map(|c| c.claim).collect();
            propose(&mut pool, stage, &vocabulary, &mined, &loops, &failed);
            if pool.candidates.is_empty() && stage != Stage::Simple {
                continue;
            }
            let mut candidates = survivors.clone();
            candidates.extend(pool.candidates.iter().cloned());
            let known: FxHashSet<CheckKey> = inferred.proved.iter().map(|p| p.check.clone()).collect();
            // What takes too long is given up, and the next stage gets its turn.
            let clock = self.clock.share(SHARE);
            let Some(found) = self.search(&pool.program, &mut candidates, &known, &clock) else { continue };
            survivors = candidates;
            if !found.is_empty() {
                plan.retain(|(key, _)| known.contains(key));
                plan.extend(found);
                let confirmed = self.confirmed(&pool.program, plan.clone());
                if confirmed.proved.len() > inferred.proved.len() {
                    inferred = confirmed;
                }
            }
            if inferred.proved.len() == self.wanted.len() || self.clock.is_over() {
                break;
            }
        }
        inferred
    }

    /// Keeps the candidates that hold always. For each check that follows from them, and is not known, what it needs.
    fn search(
        &self,
        program: &Program,
        candidates: &mut Vec<Candidate>,
        known: &FxHashSet<CheckKey>,
        clock: &Clock<'_>,
    ) -> Option<Plan> {
        let (mut program, switches) = with_switches(program, self.contract, candidates.iter());
        let assertions = assertion_switches(&mut program, self.contract);
        let effects = AllEffects::new(&program);
        let lab = Lab {
            program: &program,
            effects: &effects,
            contract: self.contract,
            options: self.options,
            wanted: &self.wanted,
            switches: &switches,
            assertions: &assertions,
            solver: self.solver,
            clock,
        };
        let (probes, unusable) = lab.probes(targets(&program, &Only(self.contract)));
        let alive = (0..candidates.len()).map(|number| !unusable.contains(&number)).collect();
        let mut search = Search { lab: &lab, probes, alive };
        if !search.stabilise() {
            return None;
        }
        let provable = search.provable(known);
        let needed = search.needed(&provable);
        let chosen = |numbers: Vec<usize>| numbers.iter().map(|n| candidates[*n].clone()).collect();
        let plan = needed.into_iter().map(|(key, numbers)| (key, chosen(numbers))).collect();
        let mut alive = search.alive.iter();
        candidates.retain(|_| alive.next() == Some(&true));
        Some(plan)
    }

    /// What of the plan stands up to verification.
    fn confirmed(&self, program: &Program, mut plan: Plan) -> Inferred {
        while !plan.is_empty() && !self.clock.is_over() {
            let mut seen = FxHashSet::default();
            let all = plan.iter().flat_map(|(_, needs)| needs);
            let used: Vec<&Candidate> = all.filter(|c| seen.insert(c.identity())).collect();
            let outcome = confirm(program, self.contract, &used, &self.wanted, self.options, &self.clock);
            if outcome.broken.is_empty() {
                let proved = plan.iter().filter(|(key, _)| outcome.proved.contains(key));
                return self.report(program, &used, &proved.collect::<Vec<_>>());
            }
            // Without what is not confirmed, other things may fall: the next round tells.
            let broken: FxHashSet<_> = outcome.broken.iter().map(|at| used[*at].identity()).collect();
            plan.retain(|(_, needs)| needs.iter().all(|c| !broken.contains(&c.identity())));
        }
        Inferred::default()
    }

    fn report(
        &self,
        program: &Program,
        used: &[&Candidate],
        proved: &[&(CheckKey, Vec<Candidate>)],
    ) -> Inferred {
        let exact = !calls_itself(program, self.contract);
        let invariant = |candidate: &&Candidate| {
            let span = span_of(program, self.contract, candidate.home);
            let place = match candidate.home {
                Home::Contract => Place::Contract(span),
                Home::Loop(..) => Place::Loop(span),
            };
            Invariant { place, text: candidate.text.clone(), exact }
        };
        let position = |need: &Candidate| used.iter().position(|c| c.identity() == need.identity());
        let proof = |(key, needs): &&(CheckKey, Vec<Candidate>)| Proof {
            check: key.clone(),
            invariants: needs.iter().filter_map(position).collect(),
        };
        Inferred {
            invariants: used.iter().map(invariant).collect(),
            proved: proved.iter().map(proof).collect(),
            impatient: false,
        }
    }
}

/// Checks with the candidates that they need.
type Plan = Vec<(CheckKey, Vec<Candidate>)>;

fn propose(
    pool: &mut Pool,
    stage: Stage,
    vocabulary: &Vocabulary,
    mined: &Mined,
    loops: &[Loop],
    failed: &[ExprId],
) {
    let decl = &pool.program.contracts[pool.contract];
    // Without a constructor there is no beginning at which anything would hold.
    let has_state = decl.constructor.is_some() && decl.kind == ContractKind::Contract;
    pool.allow(ROOM);
    match stage {
        Stage::Simple if has_state => {
            state_templates::simple(pool, vocabulary, mined);
        }
        Stage::Sums if has_state => {
            pool.allow(ROOM / 4);
            sum_templates::sums(pool, vocabulary, mined);
        }
        Stage::Decisions if has_state => {
            pool.allow(ROOM / 8);
            element_templates::decided(pool, mined);
        }
        Stage::Relations if has_state => {
            state_templates::phases(pool, vocabulary, mined, failed);
            pool.allow(ROOM / 2);
            state_templates::linear(pool, vocabulary, mined);
            pool.allow(ROOM / 8);
            sum_templates::sums_and_counters(pool, vocabulary, mined);
        }
        Stage::Elements if has_state => {
            pool.allow(ROOM / 4);
            element_templates::elements(pool, vocabulary, mined);
            sum_templates::array_sums(pool, vocabulary, mined);
        }
        Stage::Simple | Stage::Sums | Stage::Decisions | Stage::Relations | Stage::Elements => {}
    }
    for at in loops {
        pool.allow(ROOM / 4);
        match stage {
            Stage::Simple => loop_templates::simple(pool, vocabulary, mined, at),
            Stage::Relations => loop_templates::linear(pool, mined, at),
            Stage::Sums | Stage::Decisions | Stage::Elements => {}
        }
        pool.allow(ROOM / 2);
        loop_templates::claims_of_contract(pool, at);
    }
}

fn assertion_switches(program: &mut Program, contract: ContractId) -> FxHashMap<Span, StateVarId> {
    let assertions: FxHashSet<Span> =
        program.obligations.iter().filter(|o| o.kind == ObligationKind::Assertion).map(|o| o.span).collect();
    assertions.into_iter().map(|span| (span, add_switch(program, contract))).collect()
}

/// One contract with all its functions.
pub struct Only(pub ContractId);

impl Selection for Only {
    fn contract(&self, contract: ContractId) -> bool {
        contract == self.0
    }
}
