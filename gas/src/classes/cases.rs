//! All ways in which a run can be priced, one question to the solver for each that is not yet known.
//!
//! This is the loop of Algorithm 4: a set of cases, refined at one point after the other. Where all points are single
//! conditions it enumerates what Algorithm 3 does; where a call is one point whose options are the classes of the callee,
//! it prunes what the callee rules out by itself.

use std::time::Duration;

use hornet_smt::solver::Answer;
use hornet_smt::term::{Op, Sort, TermId, Terms};
use hornet_symbolic::Asking;
use hornet_symbolic::exec::{Executor, Reading, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::watch::Watch;

/// One of several things happens, if the run gets here.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub guard: TermId,
    pub options: Vec<TermId>,
}

/// What happens at a choice: one of the options, or the run does not get there.
pub(super) type Taken = Option<usize>;

/// Runs that are priced alike.
pub(super) struct Case<T> {
    /// One for each choice that was made so far.
    pub taken: Vec<Taken>,
    /// A run of this case, and what it takes at every choice.
    pub example: T,
    example_takes: Vec<Taken>,
    /// Conditions that hold in this case.
    pub known: FxHashSet<TermId>,
    literals: Vec<TermId>,
}

pub(super) struct Cases<T> {
    pub cases: Vec<Case<T>>,
    /// No case was left out.
    pub complete: bool,
    /// No run goes on for longer than was looked at, or gets to something that is not modelled.
    pub all_end: bool,
    pub questions: usize,
}

/// More cases of one function than this are not told apart.
const MOST_CASES: usize = 160;
/// For one question.
const PATIENCE: Duration = Duration::from_millis(1500);

pub(super) struct Enumerator<'a, 'e, 'p> {
    pub ex: &'e mut Executor<'p>,
    asking: Asking<'a>,
    watch: Watch<'a>,
    choices: &'e [Choice],
    /// Names for what is asked again and again: of guards, and of options.
    guards: Vec<TermId>,
    options: Vec<Vec<TermId>>,
    all_end: bool,
    questions: usize,
}

impl<'a, 'e, 'p> Enumerator<'a, 'e, 'p> {
    /// Tells the solver what holds when the call begins, and what the choices are; asks whether all runs come to an end.
    pub fn new(
        ex: &'e mut Executor<'p>,
        mut asking: Asking<'a>,
        watch: Watch<'a>,
        visit: &Visit,
        choices: &'e [Choice],
    ) -> Self {
        let conditions = choices.iter().flat_map(|c| c.options.iter().copied().chain([c.guard]));
        let mut said: Vec<TermId> = ex.cx.facts().to_vec();
        said.push(visit.begin);
        let roots: Vec<TermId> = said.iter().copied().chain(conditions).chain([visit.ends]).collect();
        said.extend(ex.cx.sum_facts(&roots));
        let roots: Vec<TermId> = said.iter().chain(&roots).copied().collect();
        said.extend(hornet_symbolic::lemmas(&mut ex.cx.terms, &roots));
        for fact in said {
            asking.assert(&ex.cx.terms, fact);
        }
        asking.push();
        let lost = ex.cx.terms.not(visit.ends);
        asking.assert(&ex.cx.terms, lost);
        let all_end = asking.check(PATIENCE.min(watch.left())) == Answer::Unsat;
        asking.pop();
        asking.assert(&ex.cx.terms, visit.ends);
        let mut named = |term: TermId| {
            if ex.cx.terms.as_bool(term).is_some() {
                return term;
            }
            let name = ex.cx.terms.fresh("way", Sort::Bool);
            let means = ex.cx.terms.eq(name, term);
            asking.assert(&ex.cx.terms, means);
            name
        };
        let guards = choices.iter().map(|choice| named(choice.guard)).collect();
        let options =
            choices.iter().map(|choice| choice.options.iter().map(|o| named(*o)).collect()).collect();
        Enumerator { ex, asking, watch, choices, guards, options, all_end, questions: 1 }
    }

    /// All cases, as far as there is time. `read` makes something of each model, unless that is not possible.
    pub fn run<T>(mut self, read: &mut dyn FnMut(&mut Reading<'_, 'p, '_>) -> Option<T>) -> Cases<T> {
        let first = match self.ask(&[], read) {
            Ok(first) => first,
            Err(settled) => {
                let (all_end, questions) = (self.all_end, self.questions);
                return Cases { cases: Vec::new(), complete: settled, all_end, questions };
            }
        };
        let (mut cases, mut complete) = (vec![first], true);
        for at in 0..self.choices.len() {
            let mut refined = Vec::new();
            for case in std::mem::take(&mut cases) {
                complete &= self.refine(at, case, &mut refined, read);
            }
            cases = refined;
        }
        Cases { cases, complete, all_end: self.all_end, questions: self.questions }
    }

    /// Splits a case by one choice. False if something was left out.
    fn refine<T>(
        &mut self,
        at: usize,
        mut case: Case<T>,
        refined: &mut Vec<Case<T>>,
        read: &mut dyn FnMut(&mut Reading<'_, 'p, '_>) -> Option<T>,
    ) -> bool {
        let mut complete = true;
        let own = case.example_takes[at];
        let all = std::iter::once(None).chain((0..self.choices[at].options.len()).map(Some));
        for taken in all.filter(|taken| *taken != own) {
            if self.is_out_of_question(&case.known, at, taken) {
                continue;
            }
            if refined.len() >= MOST_CASES || self.watch.is_over() {
                complete = false;
                break;
            }
            let literal = self.literal(at, taken);
            let literals: Vec<TermId> = case.literals.iter().copied().chain([literal]).collect();
            match self.ask(&literals, read) {
                Ok(mut other) => {
                    other.taken = case.taken.clone();
                    other.known = case.known.clone();
                    self.take(&mut other, at, taken);
                    other.literals = literals;
                    refined.push(other);
                }
                Err(settled) => complete &= settled,
            }
        }
        let literal = self.literal(at, own);
        case.literals.push(literal);
        self.take(&mut case, at, own);
        refined.push(case);
        complete
    }

    fn take<T>(&mut self, case: &mut Case<T>, at: usize, taken: Taken) {
        case.taken.push(taken);
        let choice = &self.choices[at];
        match taken {
            Some(option) => {
                learn(&mut self.ex.cx.terms, &mut case.known, choice.guard);
                learn(&mut self.ex.cx.terms, &mut case.known, choice.options[option]);
            }
            None => {
                let not = self.ex.cx.terms.not(choice.guard);
                learn(&mut self.ex.cx.terms, &mut case.known, not);
            }
        }
    }

    fn literal(&mut self, at: usize, taken: Taken) -> TermId {
        let guard = self.guards[at];
        match taken {
            Some(option) => self.ex.cx.terms.and(guard, self.options[at][option]),
            None => self.ex.cx.terms.not(guard),
        }
    }

    /// Whether what is known excludes it, without asking.
    fn is_out_of_question(&mut self, known: &FxHashSet<TermId>, at: usize, taken: Taken) -> bool {
        let terms = &mut self.ex.cx.terms;
        let guard = decided(terms, known, self.choices[at].guard);
        match taken {
            None => guard == Some(true),
            Some(option) => {
                guard == Some(false) || decided(terms, known, self.choices[at].options[option]) == Some(false)
            }
        }
    }

    /// A run in which these hold. If there is none: whether that is certain.
    fn ask<T>(
        &mut self,
        literals: &[TermId],
        read: &mut dyn FnMut(&mut Reading<'_, 'p, '_>) -> Option<T>,
    ) -> Result<Case<T>, bool> {
        self.questions += 1;
        self.asking.push();
        for literal in literals {
            self.asking.assert(&self.ex.cx.terms, *literal);
        }
        let answer = self.asking.check(PATIENCE.min(self.watch.left()));
        let found = match answer {
            Answer::Sat => self.read(read).ok_or(false),
            Answer::Unsat => Err(true),
            Answer::Unknown(_) => Err(false),
        };
        self.asking.pop();
        found
    }

    fn read<T>(&mut self, read: &mut dyn FnMut(&mut Reading<'_, 'p, '_>) -> Option<T>) -> Option<Case<T>> {
        let mut reading = Reading { ex: self.ex, model: self.asking.model() };
        let names: Vec<TermId> = self.guards.iter().chain(self.options.iter().flatten()).copied().collect();
        let names: Vec<TermId> =
            names.into_iter().filter(|name| reading.ex.cx.terms.as_bool(*name).is_none()).collect();
        reading.model.learn(&reading.ex.cx.terms, &names);
        let mut example_takes = Vec::new();
        for (guard, options) in self.guards.iter().zip(&self.options) {
            let reached = reading.model.holds(&reading.ex.cx.terms, *guard);
            let option = options.iter().position(|o| reading.model.holds(&reading.ex.cx.terms, *o));
            if reached && option.is_none() {
                return None;
            }
            example_takes.push(option.filter(|_| reached));
        }
        let example = read(&mut reading)?;
        let known = FxHashSet::default();
        Some(Case { taken: Vec::new(), example, example_takes, known, literals: Vec::new() })
    }
}

/// Takes a condition apart.
pub(super) fn learn(terms: &mut Terms, known: &mut FxHashSet<TermId>, cond: TermId) {
    if !known.insert(cond) {
        return;
    }
    match terms.op(cond) {
        Op::And => {
            for part in terms.args(cond).to_vec() {
                learn(terms, known, part);
            }
        }
        Op::Not => {
            let inner = terms.args(cond)[0];
            if *terms.op(inner) == Op::Or {
                for part in terms.args(inner).to_vec() {
                    let not = terms.not(part);
                    learn(terms, known, not);
                }
            }
        }
        _ => {}
    }
}

/// What a condition is where others are known to hold.
pub(super) fn decided(terms: &mut Terms, known: &FxHashSet<TermId>, cond: TermId) -> Option<bool> {
    Deciding { terms, known, before: FxHashMap::default() }.decide(cond)
}

/// Conditions share parts, which are looked at once.
struct Deciding<'a> {
    terms: &'a mut Terms,
    known: &'a FxHashSet<TermId>,
    before: FxHashMap<TermId, Option<bool>>,
}

impl Deciding<'_> {
    fn decide(&mut self, cond: TermId) -> Option<bool> {
        if let Some(before) = self.before.get(&cond) {
            return *before;
        }
        let decided = self.look(cond);
        self.before.insert(cond, decided);
        decided
    }

    fn look(&mut self, cond: TermId) -> Option<bool> {
        if let Some(value) = self.terms.as_bool(cond) {
            return Some(value);
        }
        let not = self.terms.not(cond);
        match (self.known.contains(&cond), self.known.contains(&not)) {
            (true, _) => return Some(true),
            (_, true) => return Some(false),
            (false, false) => {}
        }
        let parts = self.terms.args(cond).to_vec();
        match self.terms.op(cond) {
            Op::Not => self.decide(parts[0]).map(|value| !value),
            Op::And | Op::Or => {
                let settles = *self.terms.op(cond) == Op::Or;
                let parts: Vec<Option<bool>> = parts.into_iter().map(|part| self.decide(part)).collect();
                match parts.contains(&Some(settles)) {
                    true => Some(settles),
                    false => parts.iter().all(Option::is_some).then_some(!settles),
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_decides_what_it_is_part_of() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::Bool));
        let (both, any) = (terms.and(a, b), terms.or(a, c));
        let none = terms.not(any);
        let mut known = FxHashSet::default();
        learn(&mut terms, &mut known, none);
        assert_eq!([a, b, c].map(|t| decided(&mut terms, &known, t)), [Some(false), None, Some(false)]);
        assert_eq!(decided(&mut terms, &known, both), Some(false));
        let mut known = FxHashSet::default();
        learn(&mut terms, &mut known, both);
        assert_eq!([a, b, c].map(|t| decided(&mut terms, &known, t)), [Some(true), Some(true), None]);
        assert_eq!(decided(&mut terms, &known, none), Some(false));
    }
}
