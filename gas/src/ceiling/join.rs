//! Two states that meet at one point, made one that stands for both.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::alias::of_any_round;
use super::cost::Cost;
use super::facts::Facts;
use super::memory::{Memory, Write};
use super::state::{State, Value};
use super::storage::{Slot, Storage, Trend};
use super::term::{Origin, Term, Terms};

/// Something that holds a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Stack(usize),
    Memory(Term),
    Storage(Term),
    Returned,
}

/// What is known when two words meet: the first state's facts and the second's.
pub struct Meeting<'a> {
    pub terms: &'a mut Terms,
    pub facts: [&'a Facts; 2],
    pub pc: usize,
}

/// Sums of words up to this size do not go around.
const PLACE_BITS: usize = 128;

pub trait Policy {
    /// One word for two that differ, and whether it stands for more than the first does.
    fn combine(&mut self, meeting: &mut Meeting, place: Place, words: [Term; 2]) -> (Term, bool);

    /// Nobody wants the state that stands for both: only whether the first does.
    fn only_looks(&self) -> bool;

    /// Fresh words from this number on mean something else in every round.
    fn mark(&self) -> u32;

    /// A word at most as large as one that differs from round to round.
    fn lowest(&self, terms: &mut Terms, facts: &Facts, word: Term) -> Option<Term>;
}

pub struct Joined {
    pub state: State,
    /// It stands for more than the first of the two did.
    pub wider: bool,
}

pub fn join(terms: &mut Terms, policy: &mut dyn Policy, pc: usize, a: &State, b: &State) -> Joined {
    let mut joint = Joint { terms, policy, pc, facts: [&a.facts, &b.facts], wider: false };
    let stack = a.stack.iter().zip(&b.stack).enumerate();
    let stack = stack.map(|(at, (left, right))| Value {
        term: joint.combine(Place::Stack(at), left.term, right.term),
        label: left.label,
    });
    let stack = stack.collect();
    let returned = joint.combine(Place::Returned, a.returned, b.returned);
    let implied = b.facts.imply(&a.facts, joint.terms);
    // Most states differ in what is quickly compared.
    if joint.policy.only_looks() && (joint.wider || !implied) {
        return Joined { state: a.clone(), wider: true };
    }
    let storage = joint.storage(&a.storage, &b.storage);
    let memory = joint.memory(&a.memory, &b.memory);
    let facts = if implied { a.facts.clone() } else { Rc::new(a.facts.join(&b.facts, joint.terms)) };
    let wider = joint.wider || !implied;
    let state = State {
        pc: a.pc,
        stack,
        memory: Rc::new(memory),
        facts,
        storage: Rc::new(storage),
        returned,
        cost: Cost::zero(),
        forks: a.forks.max(b.forks),
    };
    Joined { state, wider }
}

struct Joint<'a> {
    terms: &'a mut Terms,
    policy: &'a mut dyn Policy,
    pc: usize,
    facts: [&'a Facts; 2],
    wider: bool,
}

impl Joint<'_> {
    fn combine(&mut self, place: Place, a: Term, b: Term) -> Term {
        let mut meeting = Meeting { terms: self.terms, facts: self.facts, pc: self.pc };
        let (word, wider) = self.policy.combine(&mut meeting, place, [a, b]);
        self.wider |= wider;
        word
    }

    // Memory.

    fn memory(&mut self, a: &Memory, b: &Memory) -> Memory {
        let common = a.writes.iter().zip(&b.writes).take_while(|(x, y)| x == y).count();
        let (ours, theirs) = (&a.writes[common..], &b.writes[common..]);
        if theirs.is_empty() && ours.is_empty() {
            return a.clone();
        }
        let mut joined = Memory { writes: a.writes[..common].to_vec() };
        let mut cells: Vec<Term> = Vec::new();
        let mut regions: Vec<Write> = Vec::new();
        for write in ours {
            match *write {
                Write::Read { .. } => {}
                Write::Word { at, .. } | Write::Calldata { at, .. } | Write::Unknown { at, .. }
                    if !self.is_placed(at) =>
                {
                    self.wider = true;
                    regions.push(Write::Unknown { at: self.lowest_place(at, 0), len: None });
                }
                Write::Word { at, .. } => cells.push(at),
                Write::Calldata { at, len, .. } => {
                    // The same copy on both ways is no difference.
                    if theirs.contains(write) {
                        regions.push(*write);
                    } else {
                        self.wider = true;
                        regions.push(Write::Unknown { at, len: Some(len) });
                    }
                }
                Write::Unknown { .. } => regions.push(*write),
            }
        }
        for write in theirs {
            self.absorb(*write, &a.writes[..common], &mut cells, &mut regions);
        }
        cells.sort_unstable();
        cells.dedup();
        // All of it holds at once, so that what is known comes last.
        let cells: Vec<Write> = cells.into_iter().map(|at| self.cell(a, b, at)).collect();
        let (lost, known): (Vec<_>, Vec<_>) =
            cells.into_iter().partition(|cell| matches!(cell, Write::Unknown { .. }));
        joined.writes.extend(regions.into_iter().chain(lost).chain(known));
        joined
    }

    /// A write that only the second state has seen.
    fn absorb(&mut self, write: Write, common: &[Write], cells: &mut Vec<Term>, regions: &mut Vec<Write>) {
        let mark = self.policy.mark();
        let (at, len) = match write {
            Write::Read { .. } => return,
            Write::Word { at, .. } if self.terms.is_older_than(at, mark) && self.is_placed(at) => {
                cells.push(at);
                return;
            }
            Write::Word { at, .. } => (at, None),
            Write::Calldata { at, len, .. } => (at, Some(len)),
            Write::Unknown { at, len } => (at, len),
        };
        if regions.contains(&write) {
            return;
        }
        let steady =
            self.terms.is_older_than(at, mark) && len.is_none_or(|len| self.terms.is_older_than(len, mark));
        let region = if steady && self.is_placed(at) {
            Write::Unknown { at, len }
        } else {
            Write::Unknown { at: self.lowest_address(at), len: None }
        };
        let known = regions.iter().any(|known| self.contains(*known, region));
        if !known && !self.is_lost_before(common, region) {
            self.wider = true;
            regions.push(region);
        }
    }

    fn lowest_address(&mut self, at: Term) -> Term {
        match self.policy.lowest(self.terms, self.facts[1], at) {
            Some(lowest) => self.lowest_place(lowest, 1),
            None => Term::ZERO,
        }
    }

    /// Both states know how large the parts of an address are, so that it means as much where they have met.
    fn is_placed(&self, at: Term) -> bool {
        self.terms.parts(at).1.iter().all(|(part, _)| self.is_sized(*part))
    }

    fn is_sized(&self, part: Term) -> bool {
        self.facts.iter().all(|facts| facts.range(self.terms, part).high.bit_len() <= PLACE_BITS)
    }

    /// At most as large as an address of one of the states, in words that are understood in both.
    fn lowest_place(&mut self, at: Term, side: usize) -> Term {
        let (constant, parts) = self.terms.parts(at);
        if !self.facts[side].is_exact(self.terms, at) {
            return Term::ZERO;
        }
        let mut lowest = self.terms.word(constant);
        for (part, factor) in parts {
            let part = match self.is_sized(part) {
                true => part,
                false => {
                    let range = self.facts[side].range(self.terms, part);
                    self.terms.word(if factor.bit(255) { range.high } else { range.low })
                }
            };
            let part = self.terms.scaled(part, factor);
            lowest = self.terms.add(lowest, part);
        }
        lowest
    }

    /// What the region holds was unknown before, and nothing that is known since lies in it.
    fn is_lost_before(&mut self, writes: &[Write], region: Write) -> bool {
        for write in writes.iter().rev() {
            if self.contains(*write, region) {
                return true;
            }
            let (at, len) = match *write {
                Write::Word { at, .. } | Write::Read { at, .. } => (at, self.terms.small(32)),
                Write::Calldata { at, len, .. } => (at, len),
                Write::Unknown { .. } => continue,
            };
            let Write::Unknown { at: start, .. } = region else { return false };
            let end = self.terms.add(at, len);
            let gap = self.terms.sub(start, end);
            if !self.is_small_number(gap) {
                return false;
            }
        }
        false
    }

    /// Addresses are less than 2^42, so a difference of whole numbers that is not huge is the difference of the words.
    fn is_small_number(&mut self, difference: Term) -> bool {
        let (low, high) = self.facts[1].span(self.terms, difference);
        !low.is_negative() && high.to_word().is_some_and(|word| !word.bit(255))
    }

    fn contains(&mut self, known: Write, region: Write) -> bool {
        match (known, region) {
            (Write::Unknown { at, len: None }, Write::Unknown { at: other, .. }) => {
                let gap = self.terms.sub(other, at);
                self.is_small_number(gap)
            }
            _ => known == region,
        }
    }

    /// A word of memory in both states.
    fn cell(&mut self, a: &Memory, b: &Memory, at: Term) -> Write {
        let left = a.load(self.terms, self.facts[0], at);
        let right = b.load(self.terms, self.facts[1], at);
        let len = Some(self.terms.small(32));
        match (left, right) {
            (Some(left), Some(right)) => {
                Write::Word { at, value: self.combine(Place::Memory(at), left, right) }
            }
            (None, _) => Write::Unknown { at, len },
            (Some(_), None) => {
                self.wider = true;
                Write::Unknown { at, len }
            }
        }
    }

    // Storage.

    fn storage(&mut self, a: &Storage, b: &Storage) -> Storage {
        if a == b {
            return a.clone();
        }
        let mark = self.policy.mark();
        let mut joined = Storage { foreign: a.foreign || b.foreign, ..Storage::default() };
        self.wider |= joined.foreign != a.foreign;
        let keys: BTreeSet<Term> = a.slots.keys().chain(b.slots.keys()).copied().collect();
        for key in keys {
            if self.terms.is_older_than(key, mark)
                && let Some(slot) = self.slot(a, b, key)
            {
                joined.slots.insert(key, slot);
            }
        }
        joined.warm = a.warm.intersection(&b.warm).copied().collect();
        joined.accounts = a.accounts.intersection(&b.accounts).copied().collect();
        joined.code_sizes = a
            .code_sizes
            .iter()
            .filter(|(k, v)| b.code_sizes.get(k) == Some(v))
            .map(|(k, v)| (*k, *v))
            .collect();
        self.wider |= joined.warm.len() < a.warm.len()
            || joined.accounts.len() < a.accounts.len()
            || joined.code_sizes.len() < a.code_sizes.len();
        joined.written.clone_from(&a.written);
        for key in &b.written {
            if !joined.covers_write(self.terms, self.facts[1], *key) {
                self.wider = true;
                joined.written.push(of_any_round(self.terms, *key, mark, self.pc));
            }
        }
        joined
    }

    fn slot(&mut self, a: &Storage, b: &Storage, key: Term) -> Option<Slot> {
        let left = a.touched(self.terms, self.facts[0], key, self.pc);
        let right = b.touched(self.terms, self.facts[1], key, self.pc);
        let everything = left.ways == [[Some(0); 2]; 2] && left.trend == Trend::Any;
        if !a.slots.contains_key(&key) {
            // As if nobody had looked: either nobody wrote, or nothing is known anyway.
            if left == right || (everything && a.may_be_written(self.terms, self.facts[0], key)) {
                return None;
            }
        }
        let original = match left.original == right.original {
            true => left.original,
            false if matches!(self.terms.origin(left.original), Some(Origin::Unknown(_))) => left.original,
            false => {
                self.wider = true;
                self.terms.unknown(self.pc)
            }
        };
        let mut slot = Slot { original, ways: left.ways, trend: left.trend.with(right.trend), ..left };
        slot.current = self.combine(Place::Storage(key), left.current, right.current);
        for (way, other) in slot.ways.iter_mut().flatten().zip(right.ways.iter().flatten()) {
            *way = (*way).max(*other);
        }
        self.wider |= slot.ways != left.ways || slot.trend != left.trend;
        Some(slot)
    }
}
