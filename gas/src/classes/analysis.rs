//! One function, followed symbolically: its cases, each with a transaction.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use hornet_ir::ids::ProcId;
use hornet_ir::program::{Callee, Program, StmtKind};
use hornet_ir::span::{FileId, Span};
use hornet_smt::term::TermId;
use hornet_symbolic::exec::{AllEffects, Executor, Passable, Policy, Visit, has_loops};
use hornet_symbolic::{Arithmetic, Asking, Res};

use super::account::{Payment, settle_newcomers};
use super::candidate::Candidate;
use super::cases::{Cases, Choice, Enumerator, Taken};
use super::condition;
use super::functions::{Library, Meant, choices};
use super::home::Home;
use super::model::Wanted;
use super::point::{By, Survey};
use super::price::Rules;
use super::start::Entrance;
use super::survey::Surveyor;
use super::{Measure, Method, Options, Subject};
use crate::watch::Watch;

/// A case, before it is run.
pub(super) struct Predicted {
    pub condition: String,
    pub candidate: Candidate,
    pub succeeds: bool,
}

#[derive(Default)]
pub(super) struct Analysis {
    pub cases: Vec<Predicted>,
    pub why_incomplete: Option<String>,
    pub questions: usize,
}

/// What all functions of a contract share: the program with its loops unrolled.
pub(super) struct Analyser<'a> {
    pub subject: &'a Subject<'a>,
    pub home: &'a Home,
    pub options: &'a Options<'a>,
    pub program: &'a Program,
    pub effects: &'a AllEffects,
    pub never: &'a AtomicBool,
}

impl<'a> Analyser<'a> {
    pub fn function(&self, entrance: &Entrance, library: &Library, watch: Watch<'a>) -> Analysis {
        let (mut ex, survey) = self.executor(watch);
        let visit = match ex.visit(entrance.action, entrance.code, self.options.invariants) {
            Ok(visit) => visit,
            Err(why) => return Analysis { why_incomplete: Some(why.0), ..Analysis::default() },
        };
        ex.watcher = None;
        let payments = survey.borrow().payments.clone();
        if let Err(why) = settle_newcomers(&mut ex, &payments, &visit.step) {
            return Analysis { why_incomplete: Some(why.0), ..Analysis::default() };
        }
        let gap = ex.gaps.first().map(|gap| gap.what.clone());
        let meant = choices(&mut ex, &survey.borrow(), library);
        let Some(asking) = self.asking() else {
            return Analysis { why_incomplete: Some("there is no solver".to_owned()), ..Analysis::default() };
        };
        let plain = plain(&meant);
        let roots: Vec<TermId> = plain
            .iter()
            .flat_map(|c| c.options.iter().copied().chain([c.guard]))
            .chain([visit.begin, visit.ends, visit.succeeds])
            .collect();
        let wanted = Wanted::new(&mut ex, &visit.step, &roots, &payments);
        wanted.limit_wealth(&mut ex, &visit.step);
        let found: Cases<(Candidate, bool)> =
            Enumerator::new(&mut ex, asking, watch, &visit, &plain).run(&mut |reading| {
                let candidate = wanted.candidate(self.home, &visit.step, reading)?;
                Some((candidate, reading.model.holds(&reading.ex.cx.terms, visit.succeeds)))
            });
        let varies = survey.borrow().varies.map(str::to_owned).or_else(|| self.beyond(&meant, &found));
        let why_incomplete = match (gap, found.complete, found.all_end) {
            (Some(what), _, false) => Some(what),
            (_, false, _) => Some("there are more cases than were looked at".to_owned()),
            (None, true, false) => Some(self.what_goes_on(entrance.code)),
            (_, true, true) => varies.map(|what| format!("what a case costs depends on {what}")),
        };
        let questions = found.questions;
        let cases = self.tell(&mut ex, entrance, &visit, &payments, &meant, found);
        Analysis { cases, why_incomplete, questions }
    }

    /// What is as long as that is not told apart.
    fn beyond<T>(&self, meant: &[Meant], found: &Cases<T>) -> Option<String> {
        let is_open = |(meant, taken): (&Meant, &Taken)| taken.is_some() && *taken == meant.open;
        let any = found.cases.iter().any(|case| meant.iter().zip(&case.taken).any(is_open));
        let rounds = self.options.rounds;
        any.then(|| format!("lengths beyond {rounds} elements or {} bytes", 32 * rounds))
    }

    /// Why there are runs that do not come to an end which was looked at.
    fn what_goes_on(&self, code: ProcId) -> String {
        let original = self.subject.program;
        match reached(original, vec![code]).iter().any(|proc| has_loops(&original.procs[*proc])) {
            true => format!("loops of more than {} rounds were not looked at", self.options.rounds),
            false => "not everything that others may do was looked at".to_owned(),
        }
    }

    fn tell(
        &self,
        ex: &mut Executor<'_>,
        entrance: &Entrance,
        visit: &Visit,
        payments: &[Payment],
        meant: &[Meant],
        found: Cases<(Candidate, bool)>,
    ) -> Vec<Predicted> {
        let names = condition::names(ex, entrance.code, &visit.step, payments);
        let zero = ex.number_like(visit.step.value, 0);
        let nothing_paid = ex.cx.terms.eq(visit.step.value, zero);
        let expected = if entrance.payable { Vec::new() } else { vec![nothing_paid] };
        let tell = |case: super::cases::Case<(Candidate, bool)>| {
            let made = meant.iter().zip(&case.taken);
            let told: Vec<TermId> =
                made.filter_map(|(meant, taken)| Some(&meant.told[(*taken)?])).flatten().copied().collect();
            let condition = condition::told(&mut ex.cx.terms, &names, &told, &expected);
            let (candidate, succeeds) = case.example;
            Predicted { condition, candidate, succeeds }
        };
        found.cases.into_iter().map(tell).collect()
    }

    /// The classes of the functions that are called more than once, callees before their callers.
    pub fn library(&self, watch: Watch<'a>) -> Library {
        let mut library = Library::default();
        if self.options.method == Method::WholeProgram {
            return library;
        }
        for function in self.shared_functions() {
            if !watch.is_over() {
                // What has no classes is looked into at each call.
                let _ = self.classes_of(function, &mut library, watch);
            }
        }
        library
    }

    fn classes_of(&self, function: ProcId, library: &mut Library, watch: Watch<'a>) -> Res<()> {
        let (mut ex, survey) = self.executor(watch);
        let visit = ex.visit_inside(function)?;
        ex.watcher = None;
        survey.borrow_mut().points.retain(|point| point.by == By::Values);
        let meant = choices(&mut ex, &survey.borrow(), library);
        let Some(asking) = self.asking().filter(|_| ex.gaps.is_empty()) else { return Ok(()) };
        let plain = plain(&meant);
        let found = Enumerator::new(&mut ex, asking, watch, &visit, &plain).run(&mut |_| Some(()));
        library.questions += found.questions;
        if found.complete && !found.cases.is_empty() {
            let cases: Vec<Vec<Taken>> = found.cases.into_iter().map(|case| case.taken).collect();
            library.add(function, &meant, &cases);
        }
        Ok(())
    }

    fn executor(&self, watch: Watch<'a>) -> (Executor<'a>, Rc<RefCell<Survey>>) {
        let span = self.program.contracts[self.subject.contract].span.unwrap_or(NOWHERE);
        let mut ex =
            Executor::new(self.program, self.effects, self.subject.contract, Arithmetic::Mod, u32::MAX, span);
        ex.policy = Policy::Paths;
        ex.passable = Passable::None;
        ex.paths.recursion = self.options.rounds as usize + 1;
        ex.interrupted = Some(Box::new(move || watch.is_over()));
        let survey = Rc::new(RefCell::new(Survey::default()));
        let rules = Rules {
            fork: self.home.fork(),
            refunds: self.options.measure == Measure::Transaction,
            rounds: self.options.rounds,
        };
        ex.watcher = Some(Box::new(Surveyor::new(rules, survey.clone())));
        (ex, survey)
    }

    fn asking(&self) -> Option<Asking<'a>> {
        Asking::new(self.options.solving, self.options.stop.unwrap_or(self.never))
    }

    /// Functions with several calls in code that the contract can run, innermost first; none that calls itself.
    fn shared_functions(&self) -> Vec<ProcId> {
        let decl = &self.program.contracts[self.subject.contract];
        let mut entries: Vec<ProcId> = decl.entries.iter().map(|entry| entry.proc).collect();
        entries.extend(decl.receive);
        entries.extend(decl.fallback.map(|fallback| fallback.proc));
        let mut left = reached(self.program, entries);
        let called: Vec<(ProcId, ProcId)> = left
            .iter()
            .flat_map(|proc| callees(self.program, *proc).into_iter().map(|callee| (*proc, callee)))
            .collect();
        let mut sorted = Vec::new();
        // What is left at the end calls itself, or somebody who does.
        while let Some(at) =
            left.iter().position(|proc| called.iter().all(|(from, to)| from != proc || sorted.contains(to)))
        {
            sorted.push(left.swap_remove(at));
        }
        sorted.retain(|proc| called.iter().filter(|(_, to)| to == proc).count() > 1);
        sorted
    }
}

fn plain(meant: &[Meant]) -> Vec<Choice> {
    meant.iter().map(|meant| meant.choice.clone()).collect()
}

/// Procedures, and those that they call.
fn reached(program: &Program, mut procs: Vec<ProcId>) -> Vec<ProcId> {
    let mut next = 0;
    while let Some(proc) = procs.get(next).copied() {
        next += 1;
        for callee in callees(program, proc) {
            if !procs.contains(&callee) {
                procs.push(callee);
            }
        }
    }
    procs
}

fn callees(program: &Program, proc: ProcId) -> Vec<ProcId> {
    let stmts = program.procs[proc].blocks.iter().flat_map(|block| &block.stmts);
    let called = stmts.filter_map(|stmt| match &stmt.kind {
        StmtKind::Call { callee: Callee::Proc(callee), .. } => Some(*callee),
        _ => None,
    });
    called.collect()
}

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };
