//! One look, with fixed bounds.

use super::Bounds;
use super::preferences::preferences;
use super::telling::Telling;
use crate::Settings;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::span::Span;
use hornet_ir::trace::Trace;
use hornet_smt::solver::Answer;
use hornet_smt::term::TermId;
use hornet_symbolic::exec::{
    AllEffects, CheckKey, Entrance, Executor, Goal, Passable, Policy, Reading, Step, Subject, Target, body_of,
};
use hornet_symbolic::{Asking, Res};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Solvers get this much for what only makes a trace nicer.
const NICETY: Duration = Duration::from_millis(150);
/// Runs that turn out to be none are followed by others, but not by many.
const ATTEMPTS: usize = 4;

pub struct Hunt<'p, 's> {
    ex: Executor<'p>,
    bounds: Bounds,
    watch: Watch<'s>,
    asking: Asking<'s>,
    /// How many of the facts the solver knows.
    told: usize,
    /// From the deployment on.
    steps: Vec<Step>,
    /// Functions that others can call; other checks belong to whoever runs into them.
    outside: FxHashSet<Option<hornet_ir::ids::ProcId>>,
}

/// A check that is wanted, and the ways in which it fails after so many transactions.
struct Suspect {
    key: CheckKey,
    subject: Subject,
    claim: TermId,
}

/// When a look ends, whatever is left.
#[derive(Clone, Copy)]
struct Watch<'s> {
    deadline: Instant,
    stop: &'s AtomicBool,
}

impl Watch<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

type Tell<'t> = &'t mut dyn FnMut(&CheckKey, Trace) -> bool;

impl<'p, 's: 'p> Hunt<'p, 's> {
    /// `None` if there is no solver.
    pub fn new(
        program: &'p Program,
        effects: &'p AllEffects,
        contract: ContractId,
        bounds: Bounds,
        settings: &'s Settings,
        stop: &'s AtomicBool,
    ) -> Option<Self> {
        let asking = Asking::new(&settings.solving, stop)?;
        let all = settings.deadline.saturating_duration_since(Instant::now());
        let watch = Watch { deadline: Instant::now() + all.mul_f64(bounds.share), stop };
        let decl = &program.contracts[contract];
        let span = decl.span.unwrap_or(NOWHERE);
        let mut ex = Executor::new(program, effects, contract, settings.arithmetic, u32::MAX, span);
        ex.policy = Policy::Paths;
        ex.trust(settings.trust);
        ex.passable = Passable::AllBut(FxHashSet::default());
        ex.paths.recursion = bounds.rounds as usize + 1;
        ex.paths.nesting = bounds.nesting;
        ex.paths.neighbours = bounds.neighbours;
        ex.interrupted = Some(Box::new(move || watch.is_over()));
        let codes = decl.entries.iter().map(|e| e.proc).chain(decl.constructor).chain(decl.receive);
        let codes = codes.chain(decl.fallback.map(|f| f.proc));
        let outside = codes.map(|code| body_of(program, code)).chain([None]).collect();
        Some(Hunt { ex, bounds, watch, asking, told: 0, steps: Vec::new(), outside })
    }

    /// Takes what it finds off the list of what is left to find.
    pub fn run(&mut self, left: &mut Vec<CheckKey>, tell: Tell<'_>) -> Res<()> {
        let (steps, mut end) = self.ex.deploy()?;
        self.steps.extend(steps);
        self.judge(0, left, tell);
        for number in 1..=self.bounds.transactions {
            let goes_on = !left.is_empty() && !self.watch.is_over();
            let Some(mut before) = end.take().filter(|_| goes_on) else { break };
            let forced = self.ex.forced_ether(&mut before, Entrance::Transaction)?;
            self.steps.extend(forced);
            let (step, after) = self.ex.transaction(&before)?;
            self.steps.push(step);
            self.judge(number, left, tell);
            end = after;
        }
        Ok(())
    }

    /// Asks whether checks fail in the last of so many transactions.
    fn judge(&mut self, number: usize, left: &mut Vec<CheckKey>, tell: Tell<'_>) {
        let found = self.ex.take_found();
        if number < self.bounds.first {
            return;
        }
        let mut suspects = self.suspects(&found, left);
        self.tell_facts(&suspects);
        while !suspects.is_empty() && !self.watch.is_over() {
            let any = self.ex.cx.terms.or_all(suspects.iter().map(|s| s.claim));
            self.asking.push();
            self.asking.assert(&self.ex.cx.terms, any);
            let answer = self.asking.check(self.time());
            let hit = match answer {
                Answer::Sat => {
                    let mut model = self.asking.model();
                    suspects.iter().position(|s| model.holds(&self.ex.cx.terms, s.claim))
                }
                Answer::Unsat | Answer::Unknown(_) => None,
            };
            self.asking.pop();
            match (answer, hit) {
                (_, Some(hit)) => {
                    let suspect = suspects.swap_remove(hit);
                    self.report(&suspect, left, tell);
                }
                (Answer::Unsat, None) => break,
                (Answer::Sat | Answer::Unknown(_), None) => {
                    // Too much at once, perhaps: one by one.
                    for suspect in std::mem::take(&mut suspects) {
                        self.report(&suspect, left, tell);
                    }
                }
            }
        }
    }

    fn time(&self) -> Duration {
        self.bounds.time.min(self.watch.left())
    }

    /// What could go wrong in the last transaction, of what is wanted.
    fn suspects(&mut self, found: &[(Target, Goal)], left: &[CheckKey]) -> Vec<Suspect> {
        let mut suspects: Vec<Suspect> = Vec::new();
        for (target, goal) in found {
            let key = goal.subject.key(target);
            let claim = self.ex.cx.terms.or_all(goal.claims.iter().map(|claim| claim.term));
            if self.ex.cx.terms.as_bool(claim) == Some(false) || goal.blocked.is_some() {
                continue;
            }
            let same: Vec<&CheckKey> = left.iter().filter(|wanted| self.is_same(wanted, &key)).collect();
            for wanted in same {
                match suspects.iter_mut().find(|suspect| suspect.key == *wanted) {
                    Some(known) => known.claim = self.ex.cx.terms.or(known.claim, claim),
                    None => {
                        let subject = goal.subject.clone();
                        suspects.push(Suspect { key: wanted.clone(), subject, claim });
                    }
                }
            }
        }
        suspects
    }

    /// Whether a check that was run into is the wanted one. Functions that only others of the contract call are verified
    /// on their own elsewhere; here they are part of whoever calls them. A run that breaks an annotation does so at whatever
    /// moment.
    fn is_same(&self, wanted: &CheckKey, found: &CheckKey) -> bool {
        let place = |key: &CheckKey| (key.kind, key.span, key.annotation);
        place(wanted) == place(found)
            && (wanted.function == found.function || !self.outside.contains(&wanted.function))
    }

    /// Tells the solver what is new.
    fn tell_facts(&mut self, suspects: &[Suspect]) {
        let claims: Vec<TermId> = suspects.iter().map(|s| s.claim).collect();
        if claims.is_empty() {
            return;
        }
        let mut new = self.ex.cx.facts()[self.told..].to_vec();
        self.told = self.ex.cx.facts().len();
        let roots: Vec<TermId> = new.iter().chain(&claims).copied().collect();
        new.extend(self.ex.cx.sum_facts(&roots));
        let roots: Vec<TermId> = new.iter().chain(&claims).copied().collect();
        new.extend(hornet_symbolic::lemmas(&mut self.ex.cx.terms, &roots));
        for fact in new {
            self.asking.assert(&self.ex.cx.terms, fact);
        }
    }

    /// Looks for runs that break a check, the nicest first, until one is good enough.
    fn report(&mut self, suspect: &Suspect, left: &mut Vec<CheckKey>, tell: Tell<'_>) {
        let strict = self.ex.strict();
        let mut wishes = vec![strict];
        wishes.extend(preferences(&mut self.ex, &self.steps));
        self.asking.push();
        self.asking.assert(&self.ex.cx.terms, suspect.claim);
        for attempt in 0..ATTEMPTS {
            // What was nice about the first one may have been what was wrong with it.
            let granted = if attempt == 1 { &wishes[..1] } else { &wishes[..] };
            let Some((trace, choices)) = self.nicest(granted, suspect) else { break };
            if tell(&suspect.key, trace) {
                left.retain(|key| *key != suspect.key);
                break;
            }
            if attempt > 0 {
                let another = self.ex.cx.terms.not(choices);
                self.asking.assert(&self.ex.cx.terms, another);
            }
        }
        self.asking.pop();
    }

    /// A run with as many wishes granted as can be, and the functions that are called in it.
    fn nicest(&mut self, wishes: &[TermId], suspect: &Suspect) -> Option<(Trace, TermId)> {
        if self.watch.is_over() || self.asking.check(self.time()) != Answer::Sat {
            return None;
        }
        let (mut levels, mut last_granted) = (0, true);
        for wish in wishes {
            self.asking.push();
            self.asking.assert(&self.ex.cx.terms, *wish);
            last_granted = self.asking.check(self.time().min(NICETY)) == Answer::Sat;
            if last_granted {
                levels += 1;
            } else {
                self.asking.pop();
            }
        }
        let found = last_granted || self.asking.check(self.time()) == Answer::Sat;
        let told = found.then(|| {
            let reading = Reading { ex: &mut self.ex, model: self.asking.model() };
            let mut telling = Telling { reading, claim: suspect.claim };
            let told = (telling.trace(&self.steps, &suspect.subject), telling.choices(&self.steps));
            (!telling.reading.model.lost).then_some(told)
        });
        (0..levels).for_each(|_| self.asking.pop());
        told.flatten()
    }
}

const NOWHERE: Span = Span { file: hornet_ir::span::FileId(0), start: 0, end: 0 };
