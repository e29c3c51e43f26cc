//! All ways through a function, and what the dearest costs.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::cost::{Cost, Outcome};
use super::join::join;
use super::loops::Frame;
use super::merge::Merge;
use super::opcode::JUMPDEST;
use super::report::{Blame, Reason};
use super::state::{Point, State};
use super::step::{Machine, Step};
use super::term::Term;
use crate::watch::Watch;

/// Why an exploration ends without an outcome.
pub enum Abort {
    /// The state at the beginning of this loop has to stand for more.
    Widen(u32),
    /// Too much to look at.
    Effort,
    /// The time is up.
    Time,
}

/// How much is looked at one by one, before ways are merged.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// Visits of a point.
    pub visits: usize,
    /// States of a point, by the constants on the stack, that are merged apart from each other: a pointer to something
    /// in memory is of no use once it may point elsewhere.
    pub kinds: usize,
    /// Instructions in all.
    pub steps: u64,
}

impl Care {
    /// Enough for nearly all functions.
    pub const CLOSE: Care = Care { visits: 12, kinds: 12, steps: 200_000 };
    /// For those that have more ways through them.
    pub const COARSE: Care = Care { visits: 2, kinds: 3, steps: 4_000_000 };
    /// For those of which that leaves nothing.
    pub const PATIENT: Care = Care { visits: 4, kinds: 12, steps: 1_000_000 };
    pub const THOROUGH: Care = Care { visits: 60, kinds: 60, steps: 2_000_000 };
}

pub struct Explorer<'a> {
    pub machine: Machine<'a>,
    pub blames: Vec<Blame>,
    /// What the number of rounds depends on, by the offset of the loop.
    pub loops: BTreeMap<usize, BTreeSet<Term>>,
    /// The points on the way to where we are.
    pub chain: Vec<(Point, Mode)>,
    pub on_chain: FxHashMap<Point, usize>,
    pub frames: Vec<Frame>,
    pub next_frame: u32,
    pub scopes: Vec<Scope>,
    pub steps: u64,
    care: Care,
    watch: Watch<'a>,
}

/// What an earlier visit on the same way was for.
#[derive(Clone, Copy, Debug)]
pub enum Mode {
    /// Passed by, with this many open conditions before, for the n-th time.
    Passed { forks: u32, times: u32 },
    /// The beginning of a loop that is being looked at.
    Loop(u32),
}

/// Points visited since the same beginning.
#[derive(Default)]
pub struct Scope {
    visits: FxHashMap<Point, Vec<State>>,
    merged: FxHashMap<Point, Vec<(State, Merge, Outcome)>>,
    pub loops: FxHashMap<Point, Vec<(Frame, Outcome)>>,
}

/// Rounds of a loop without an open condition that are followed one by one.
const ROUNDS: u32 = 600;
/// Instructions between two looks at the clock.
const BETWEEN_LOOKS: u64 = 64;
/// Calls of a function inside itself that are followed.
const RECURSION: usize = 6;

impl<'a> Explorer<'a> {
    pub fn new(machine: Machine<'a>, care: Care, watch: Watch<'a>) -> Explorer<'a> {
        Explorer {
            machine,
            blames: Vec::new(),
            loops: BTreeMap::new(),
            chain: Vec::new(),
            on_chain: FxHashMap::default(),
            frames: Vec::new(),
            next_frame: 0,
            scopes: vec![Scope::default()],
            steps: 0,
            care,
            watch,
        }
    }

    /// What can come of a state, beginning with its next instruction.
    pub fn explore(&mut self, mut state: State) -> Result<Outcome, Abort> {
        state.cost = Cost::zero();
        loop {
            if self.steps.is_multiple_of(BETWEEN_LOOKS) && self.watch.is_over() {
                return Err(Abort::Time);
            }
            if self.steps >= self.care.steps {
                return Err(Abort::Effort);
            }
            self.steps += 1;
            let at_jumpdest = self.machine.code.opcode(state.pc) == JUMPDEST;
            let point = at_jumpdest.then(|| state.point());
            match self.machine.step(&mut state) {
                Step::Next => {}
                Step::Jump(target) => {
                    if !self.machine.code.is_jumpdest(target) {
                        return Ok(Outcome::default());
                    }
                    state.pc = target;
                }
                Step::Branch(condition, target) => {
                    if let Some(outcome) = self.branch(&mut state, condition, target)? {
                        return Ok(outcome.after(&state.cost));
                    }
                }
                Step::End => return Ok(Outcome::end(state.cost)),
                Step::Burn => return Ok(Outcome::default()),
                Step::Stuck(blame) => {
                    self.blames.push(blame);
                    return Ok(Outcome::end(Cost::endless()));
                }
            }
            if let Some(point) = point
                && let Some(outcome) = self.arrive(point, &state)?
            {
                return Ok(outcome.after(&state.cost));
            }
        }
    }

    /// Both ways, if it is open which one is taken; otherwise the state goes on.
    fn branch(
        &mut self,
        state: &mut State,
        condition: Term,
        target: usize,
    ) -> Result<Option<Outcome>, Abort> {
        let is_place = self.machine.code.is_jumpdest(target);
        let terms = &mut self.machine.terms;
        match state.facts.decide(terms, condition) {
            Some(true) if is_place => {
                state.pc = target;
                return Ok(None);
            }
            Some(true) => return Ok(Some(Outcome::default())),
            Some(false) => return Ok(None),
            None => {}
        }
        let mut outcome = Outcome::default();
        for jumps in [false, true] {
            let mut way = state.clone();
            way.forks += 1;
            if jumps {
                way.pc = target;
            }
            let possible = (!jumps || is_place) && way.assume(&mut self.machine.terms, condition, jumps);
            if possible {
                let depth = self.chain.len();
                let found = self.explore(way);
                self.leave(depth);
                outcome = outcome.join(&found?);
            }
        }
        Ok(Some(outcome))
    }

    /// The state is behind the jump destination of the point. Nothing: it goes on.
    fn arrive(&mut self, point: Point, state: &State) -> Result<Option<Outcome>, Abort> {
        if let Some(at) = self.on_chain.get(&point).copied() {
            return match self.chain[at].1 {
                Mode::Loop(frame) => self.back(frame, state).map(Some),
                Mode::Passed { forks, times } if forks == state.forks && times < ROUNDS => {
                    self.chain[at].1 = Mode::Passed { forks, times: times + 1 };
                    Ok(None)
                }
                Mode::Passed { .. } => self.summarise(at, state).map(Some),
            };
        }
        if point.recursion() > RECURSION {
            self.blames.push(Blame { pc: point.pc, reason: Reason::Recursion });
            return Ok(Some(Outcome::end(Cost::endless())));
        }
        self.on_chain.insert(point.clone(), self.chain.len());
        self.chain.push((point.clone(), Mode::Passed { forks: state.forks, times: 1 }));
        let most = self.care.visits;
        let visits = self.scope().visits.entry(point.clone()).or_default();
        if visits.len() < most {
            visits.push(state.clone());
            return Ok(None);
        }
        self.merged(point, state).map(Some)
    }

    pub fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("there is always one")
    }

    /// Forgets the way behind a point.
    pub fn leave(&mut self, depth: usize) {
        for (point, _) in self.chain.drain(depth..) {
            self.on_chain.remove(&point);
        }
    }

    /// One state for all visits of a point, so that what follows is looked at once.
    fn merged(&mut self, point: Point, state: &State) -> Result<Outcome, Abort> {
        let pc = point.pc;
        let known = self.scope().merged.remove(&point).unwrap_or_default();
        let mut found = None;
        for (general, merge, outcome) in &known {
            let mut look = Merge { only_look: true, ..merge.clone() };
            if !join(&mut self.machine.terms, &mut look, pc, general, state).wider {
                found = Some(outcome.clone());
                break;
            }
        }
        let alike = |other: &State| state.has_constants_of(&self.machine.terms, other);
        let kind = known.iter().rev().find(|(general, ..)| alike(general));
        let kind = kind.or_else(|| known.last().filter(|_| known.len() >= self.care.kinds));
        let latest = kind.map(|(general, merge, _)| (general.clone(), merge.clone()));
        self.scope().merged.insert(point.clone(), known);
        if let Some(outcome) = found {
            return Ok(outcome);
        }
        let (mut general, mut merge) = latest.unwrap_or_else(|| (state.clone(), Merge::default()));
        let mut others = vec![state.clone()];
        if merge.holes.is_empty() {
            let visits = self.scope().visits.get(&point).cloned().unwrap_or_default();
            let alike = |other: &State| state.has_constants_of(&self.machine.terms, other);
            others.extend(visits.into_iter().filter(alike));
        }
        for other in others {
            let joined = join(&mut self.machine.terms, &mut merge, pc, &general, &other);
            if joined.wider {
                general = joined.state;
            }
        }
        let depth = self.chain.len();
        let outcome = self.explore(general.clone());
        self.leave(depth);
        let outcome = outcome?;
        self.scope().merged.entry(point).or_default().push((general, merge, outcome.clone()));
        Ok(outcome)
    }
}
