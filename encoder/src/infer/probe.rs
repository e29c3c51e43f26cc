//! One function as a question that can be asked again and again with other candidates switched on.

use super::clock::Clock;
use crate::job::inner_target;
use crate::options::Options;
use crate::solve::background;
use hornet_ir::ids::{ContractId, ProcId, StateVarId};
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::Span;
use hornet_smt::solver::{Answer, Limits, Session, Solver};
use hornet_smt::term::{TermId, Value};
use hornet_symbolic::Var;
use hornet_symbolic::exec::{AllEffects, CheckKey, Executor, Passable, Target};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that a function must not break: a candidate, or an assertion that others rely on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Suspect {
    Candidate(usize),
    Assertion(Span),
}

pub struct Probe<'p> {
    ex: Executor<'p>,
    background: Vec<TermId>,
    /// The switch of each candidate, if it has something to do with the function.
    switches: Vec<Option<TermId>>,
    /// Assertions that are relied on while they last.
    held: FxHashMap<Span, TermId>,
    /// How each suspect can be broken here.
    breaks: Vec<(Suspect, TermId)>,
    /// How what is to be proved can fail here.
    pub wanted: Vec<(CheckKey, TermId)>,
}

/// Everything that probes share.
pub struct Lab<'a> {
    pub program: &'a Program,
    pub effects: &'a AllEffects,
    pub contract: ContractId,
    pub options: &'a Options,
    pub wanted: &'a FxHashSet<CheckKey>,
    /// The switches of the candidates.
    pub switches: &'a [StateVarId],
    /// The switches of the assertions.
    pub assertions: &'a FxHashMap<Span, StateVarId>,
    pub solver: &'a Solver,
    pub clock: &'a Clock<'a>,
}

impl<'a> Lab<'a> {
    /// Probes for targets and for whatever these rely on; and the candidates that cannot be stated somewhere.
    pub fn probes(&self, mut todo: Vec<Target>) -> (Vec<Probe<'a>>, FxHashSet<usize>) {
        // What does not hold from the beginning goes first: taken from the end.
        let constructor = self.program.contracts[self.contract].constructor;
        todo.sort_by_key(|target| target.body() == constructor);
        let mut probes = Vec::new();
        let mut unusable = FxHashSet::default();
        let mut done: FxHashSet<ProcId> =
            todo.iter().filter_map(|t| t.verified_inside(self.program)).collect();
        while let Some(target) = todo.pop() {
            if self.clock.is_over() {
                break;
            }
            let (probe, relied_on) = self.probe(&target, &mut unusable);
            probes.push(probe);
            for proc in relied_on {
                if done.insert(proc) {
                    todo.extend(inner_target(self.program, self.contract, proc));
                }
            }
        }
        (probes, unusable)
    }

    fn probe(&self, target: &Target, unusable: &mut FxHashSet<usize>) -> (Probe<'a>, Vec<ProcId>) {
        let options = self.options;
        let mut ex = Executor::new(
            self.program,
            self.effects,
            self.contract,
            options.arithmetic,
            options.inline_depth,
            target.span,
        );
        ex.passable = Passable::Unless(self.assertions.clone());
        ex.independent_invariants = true;
        let clock = self.clock;
        ex.interrupted = Some(Box::new(move || clock.is_over()));
        ex.verify(target);
        let relied_on = std::mem::take(&mut ex.relied_on);
        let mut breaks: Vec<(Suspect, Vec<TermId>)> = Vec::new();
        let mut wanted = Vec::new();
        for goal in std::mem::take(&mut ex.goals) {
            let claim = ex.cx.terms.or_all(goal.claims.iter().map(|c| c.term));
            let key = goal.subject.key(target);
            let suspect = match (&goal.subject.annotation, goal.subject.kind) {
                (Some((_, number)), _) => number.parse().ok().map(Suspect::Candidate),
                (None, ObligationKind::Assertion) => Some(Suspect::Assertion(goal.subject.span)),
                (None, _) => None,
            };
            if let (Some(Suspect::Candidate(number)), true) = (suspect, goal.blocked.is_some()) {
                unusable.insert(number);
            }
            if let Some(suspect) = suspect {
                match breaks.iter_mut().find(|(s, _)| *s == suspect) {
                    Some((_, claims)) => claims.push(claim),
                    None => breaks.push((suspect, vec![claim])),
                }
            }
            if self.wanted.contains(&key) && goal.blocked.is_none() {
                wanted.push((key, claim));
            }
        }
        let breaks: Vec<(Suspect, TermId)> =
            breaks.into_iter().map(|(s, claims)| (s, ex.cx.terms.or_all(claims))).collect();
        let claims: Vec<TermId> =
            breaks.iter().map(|(_, c)| *c).chain(wanted.iter().map(|(_, c)| *c)).collect();
        let background = background(&mut ex, &claims);
        let (switches, held) = self.used_switches(&mut ex, &background, &claims);
        (Probe { ex, background, switches, held, breaks, wanted }, relied_on)
    }

    fn used_switches(
        &self,
        ex: &mut Executor<'_>,
        background: &[TermId],
        claims: &[TermId],
    ) -> (Vec<Option<TermId>>, FxHashMap<Span, TermId>) {
        let mut used = FxHashSet::default();
        ex.cx.terms.walk(background, |t| {
            used.insert(t);
        });
        ex.cx.terms.walk(claims, |t| {
            used.insert(t);
        });
        let mut term = |var: &StateVarId| {
            let value = ex.cx.initial(Var::State(*var)).ok()?;
            value.first().copied().filter(|t| used.contains(t))
        };
        let switches = self.switches.iter().map(&mut term).collect();
        let held = self.assertions.iter().filter_map(|(span, var)| Some((*span, term(var)?))).collect();
        (switches, held)
    }
}

impl Probe<'_> {
    /// Whether a candidate is assumed or checked here.
    pub fn concerns(&self, candidate: usize) -> bool {
        self.switches[candidate].is_some()
    }

    /// How something can be broken here.
    pub fn break_of(&self, suspect: Suspect) -> Option<TermId> {
        self.breaks.iter().find(|(s, _)| *s == suspect).map(|(_, c)| *c)
    }

    /// What may be relied on here.
    pub fn reliable(&self, alive: &[bool]) -> Vec<Suspect> {
        let candidates = (0..alive.len()).filter(|number| alive[*number] && self.concerns(*number));
        candidates.map(Suspect::Candidate).chain(self.held.keys().copied().map(Suspect::Assertion)).collect()
    }

    pub fn ask(&self, lab: &Lab<'_>) -> Question {
        let limits = Limits { time: lab.clock.left(), ..lab.options.solving.limits };
        let mut session = Session::pooled(lab.solver, limits);
        for term in &self.background {
            session.assert(&self.ex.cx.terms, *term);
        }
        Question { session }
    }

    /// Finds suspects that can be broken while all that are alive are relied on; assertions among them are not held any
    /// more. Empty if there are none, or if time is over.
    pub fn broken(&mut self, lab: &Lab<'_>, alive: &[bool]) -> Vec<usize> {
        let mut dropped: Vec<usize> = Vec::new();
        let mut alive = alive.to_vec();
        let mut question = self.ask(lab);
        while !lab.clock.is_over() {
            let active: Vec<(Suspect, TermId)> = self
                .breaks
                .iter()
                .copied()
                .filter(|(suspect, claim)| self.is_active(*suspect, &alive) && !self.is_false(*claim))
                .collect();
            if active.is_empty() {
                break;
            }
            let found = question.find(self, lab, &active, &alive);
            if found.is_empty() {
                break;
            }
            for suspect in found {
                match suspect {
                    Suspect::Candidate(number) => {
                        alive[number] = false;
                        dropped.push(number);
                    }
                    Suspect::Assertion(span) => {
                        self.held.remove(&span);
                    }
                }
            }
        }
        dropped
    }

    fn is_active(&self, suspect: Suspect, alive: &[bool]) -> bool {
        match suspect {
            Suspect::Candidate(number) => alive[number],
            Suspect::Assertion(span) => self.held.contains_key(&span),
        }
    }

    fn is_false(&self, term: TermId) -> bool {
        self.ex.cx.terms.as_bool(term) == Some(false)
    }
}

/// A conversation with a solver about one probe.
pub struct Question {
    session: Session,
}

impl Question {
    /// Some of the suspects that can be broken, or that the solver cannot say it of.
    fn find(
        &mut self,
        probe: &mut Probe<'_>,
        lab: &Lab<'_>,
        active: &[(Suspect, TermId)],
        alive: &[bool],
    ) -> Vec<Suspect> {
        let any = probe.ex.cx.terms.or_all(active.iter().map(|(_, claim)| *claim));
        self.session.push();
        let relied_on = probe.reliable(alive);
        self.switch(probe, &relied_on);
        self.session.push();
        self.session.assert(&probe.ex.cx.terms, any);
        let answer = self.session.check_within(lab.clock.together(), &[lab.clock.stop]);
        let found = match answer {
            Answer::Unsat => Some(Vec::new()),
            Answer::Sat => self.broken_in_model(probe, active),
            Answer::Unknown(_) => None,
        };
        self.session.pop();
        let found = found.unwrap_or_else(|| self.in_parts(probe, lab, active));
        self.session.pop();
        found
    }

    fn broken_in_model(&mut self, probe: &Probe<'_>, active: &[(Suspect, TermId)]) -> Option<Vec<Suspect>> {
        let claims: Vec<TermId> = active.iter().map(|(_, claim)| *claim).collect();
        let values = self.session.values(&probe.ex.cx.terms, &claims).ok()?;
        let broken = active.iter().zip(values).filter(|(_, value)| *value == Value::Bool(true));
        let broken: Vec<Suspect> = broken.map(|((suspect, _), _)| *suspect).collect();
        (!broken.is_empty()).then_some(broken)
    }

    /// Halves what the solver cannot decide together, down to single suspects.
    fn in_parts(
        &mut self,
        probe: &mut Probe<'_>,
        lab: &Lab<'_>,
        active: &[(Suspect, TermId)],
    ) -> Vec<Suspect> {
        let mut found = Vec::new();
        let mut parts = vec![active];
        while let Some(part) = parts.pop() {
            if lab.clock.is_over() {
                break;
            }
            let any = probe.ex.cx.terms.or_all(part.iter().map(|(_, claim)| *claim));
            self.session.push();
            self.session.assert(&probe.ex.cx.terms, any);
            let answer = self.session.check_within(lab.clock.alone(), &[lab.clock.stop]);
            let broken = match answer {
                Answer::Sat => self.broken_in_model(probe, part),
                Answer::Unsat | Answer::Unknown(_) => None,
            };
            self.session.pop();
            match (broken, part) {
                (Some(broken), _) => return broken,
                (None, _) if answer == Answer::Unsat => {}
                (None, [(suspect, _)]) => {
                    lab.clock.give_up();
                    found.push(*suspect);
                }
                (None, _) => {
                    let (left, right) = part.split_at(part.len() / 2);
                    parts.extend([right, left]);
                }
            }
        }
        found
    }

    /// Relies on some suspects, and on nothing of the others.
    fn switch(&mut self, probe: &mut Probe<'_>, relied_on: &[Suspect]) {
        let on: FxHashSet<Suspect> = relied_on.iter().copied().collect();
        let Probe { ex, switches, held, .. } = probe;
        let candidates =
            switches.iter().enumerate().filter_map(|(n, s)| Some((Suspect::Candidate(n), (*s)?)));
        let assertions = held.iter().map(|(span, switch)| (Suspect::Assertion(*span), *switch));
        for (suspect, switch) in candidates.chain(assertions) {
            let setting = if on.contains(&suspect) { switch } else { ex.cx.terms.not(switch) };
            self.session.assert(&ex.cx.terms, setting);
        }
    }

    /// Whether a claim contradicts what is asserted.
    fn is_impossible(&mut self, probe: &Probe<'_>, lab: &Lab<'_>, claim: TermId) -> bool {
        self.session.push();
        self.session.assert(&probe.ex.cx.terms, claim);
        let answer = self.session.check_within(lab.clock.alone(), &[lab.clock.stop]);
        self.session.pop();
        answer == Answer::Unsat
    }

    /// Whether a claim is impossible if just these are relied on.
    pub fn is_refuted_by(
        &mut self,
        probe: &mut Probe<'_>,
        lab: &Lab<'_>,
        claim: TermId,
        relied_on: &[Suspect],
    ) -> bool {
        self.session.push();
        self.switch(probe, relied_on);
        let answer = self.is_impossible(probe, lab, claim);
        self.session.pop();
        answer
    }
}
