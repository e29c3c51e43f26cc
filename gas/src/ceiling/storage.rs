//! Slots of storage as a path knows them: what they hold, and how dear the next write can be.
//!
//! A write costs most when the slot still holds what it held when the transaction began. Whether it does is often not
//! known, so each slot carries what the dearest run that ends in each case has paid, and only the dearest of all is
//! added to the path.

use std::collections::{BTreeMap, BTreeSet};

use super::alias::{covers, differ};
use super::facts::Facts;
use super::schedule::{Schedule, Sstore};
use super::term::{Term, Terms};

/// Runs by whether the slot was zero at first (`[0]`: it was) and whether it differs from that now (`[1]`: it does):
/// how much less than the dearest they have paid, if there are any.
pub type Ways = [[Option<i64>; 2]; 2];

/// In which direction writes have gone. What only grew differs from what it was, or never changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trend {
    None,
    Up,
    Down,
    Any,
}

impl Trend {
    pub fn with(self, other: Trend) -> Trend {
        match (self, other) {
            (Trend::None, trend) | (trend, Trend::None) => trend,
            (a, b) if a == b => a,
            _ => Trend::Any,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    pub original: Term,
    pub current: Term,
    pub ways: Ways,
    pub trend: Trend,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Storage {
    pub slots: BTreeMap<Term, Slot>,
    /// Slots and accounts that were certainly touched before.
    pub warm: BTreeSet<Term>,
    pub accounts: BTreeSet<Term>,
    /// How much code accounts have, where somebody looked.
    pub code_sizes: BTreeMap<Term, Term>,
    /// Slots that were written, perhaps with words that stand for many.
    pub written: Vec<Term>,
    /// Others had control and may have written anything.
    pub foreign: bool,
}

impl Storage {
    /// The slot, as it is when nobody looked at it before.
    pub fn touched(&self, terms: &mut Terms, facts: &Facts, key: Term, pc: usize) -> Slot {
        if let Some(slot) = self.slots.get(&key) {
            return slot.clone();
        }
        if self.may_be_written(terms, facts, key) {
            let (original, current) = (terms.unknown(pc), terms.unknown(pc));
            return Slot { original, current, ways: [[Some(0); 2]; 2], trend: Trend::Any };
        }
        let original = terms.storage(key);
        Slot { original, current: original, ways: [[Some(0), None]; 2], trend: Trend::None }
    }

    pub fn may_be_written(&self, terms: &mut Terms, facts: &Facts, key: Term) -> bool {
        self.foreign || self.written.iter().any(|other| !differ(terms, facts, *other, key))
    }

    /// A write of this slot would be nothing new.
    pub fn covers_write(&self, terms: &mut Terms, facts: &Facts, key: Term) -> bool {
        self.foreign || self.written.iter().any(|pattern| covers(terms, facts, *pattern, key))
    }

    pub fn load(&mut self, terms: &mut Terms, facts: &Facts, key: Term, pc: usize) -> (Term, bool) {
        let slot = self.touched(terms, facts, key, pc);
        let current = slot.current;
        self.slots.insert(key, slot);
        (current, !self.warm.insert(key))
    }

    /// What the write costs.
    pub fn store(
        &mut self,
        terms: &mut Terms,
        facts: &Facts,
        (key, value): (Term, Term),
        schedule: &Schedule,
        pc: usize,
    ) -> u64 {
        let mut slot = self.touched(terms, facts, key, pc);
        let mut gas = if self.warm.insert(key) { schedule.sstore_cold() } else { 0 };
        gas += match schedule.sstore() {
            Some(prices) => slot.write(terms, facts, value, &prices),
            None => price_by_value(terms, facts, slot.current, value),
        };
        slot.current = value;
        for (other, changed) in &mut self.slots {
            if *other != key && !differ(terms, facts, *other, key) {
                changed.lose(terms, pc);
            }
        }
        self.slots.insert(key, slot);
        if !self.written.contains(&key) {
            self.written.push(key);
        }
        gas
    }

    /// Others had control.
    pub fn lose_all(&mut self, terms: &mut Terms, pc: usize) {
        for slot in self.slots.values_mut() {
            slot.lose(terms, pc);
        }
        self.foreign = true;
        self.written.clear();
    }
}

impl Slot {
    /// Somebody may have written it.
    fn lose(&mut self, terms: &mut Terms, pc: usize) {
        self.current = terms.unknown(pc);
        self.trend = Trend::Any;
        for ways in &mut self.ways {
            let most = ways[0].max(ways[1]);
            *ways = [most, most];
        }
    }

    fn write(&mut self, terms: &mut Terms, facts: &Facts, value: Term, prices: &Sstore) -> u64 {
        let trend = self.trend.with(direction(terms, facts, self.current, value));
        let again = prices.again as i64;
        let mut after: Ways = [[None; 2]; 2];
        for (zero, change) in [prices.fresh as i64, prices.change as i64].into_iter().enumerate() {
            let [same, changed] = self.ways[zero];
            let Some(case) = suppose_zero(terms, facts, self.original, zero == 0) else { continue };
            let returns = trend == Trend::Any && can_be_equal(terms, &case, value, self.original);
            if let Some(paid) = same {
                let stays = can_be_equal(terms, &case, value, self.original);
                let leaves = can_differ(terms, &case, value, self.original);
                after[zero][0] = stays.then_some(paid + again);
                after[zero][1] = leaves.then_some(paid + change);
            }
            if let Some(paid) = changed {
                let paid = Some(paid + again);
                after[zero][1] = after[zero][1].max(paid);
                after[zero][0] = after[zero][0].max(paid.filter(|_| returns));
            }
        }
        self.trend = trend;
        self.settle(after, again)
    }

    /// The dearest is paid at once; the others remember how much less it was.
    fn settle(&mut self, mut ways: Ways, least: i64) -> u64 {
        // No way at all: the path is impossible, and any price will do.
        let most = ways.iter().flatten().flatten().copied().max().unwrap_or(least);
        for way in ways.iter_mut().flatten().flatten() {
            *way -= most;
        }
        if ways.iter().flatten().all(Option::is_none) {
            ways = [[Some(0); 2]; 2];
        }
        self.ways = ways;
        most.max(0) as u64
    }
}

/// Before the first value mattered: making something out of nothing is dear.
fn price_by_value(terms: &mut Terms, facts: &Facts, current: Term, value: Term) -> u64 {
    let created = suppose_zero(terms, facts, current, true)
        .is_some_and(|case| suppose_zero(terms, &case, value, false).is_some());
    if created { 20_000 } else { 5000 }
}

fn direction(terms: &mut Terms, facts: &Facts, from: Term, to: Term) -> Trend {
    if from == to {
        Trend::None
    } else if facts.proves_at_most(terms, from, to) {
        Trend::Up
    } else if facts.proves_at_most(terms, to, from) {
        Trend::Down
    } else {
        Trend::Any
    }
}

/// The facts with a word zero, or not; `None` if that cannot be.
pub fn suppose_zero(terms: &mut Terms, facts: &Facts, word: Term, zero: bool) -> Option<Facts> {
    let mut case = facts.clone();
    let condition = terms.is_zero(word);
    (case.assume(terms, condition, zero) && case.settle(terms) && case.settle(terms)).then_some(case)
}

fn can_be_equal(terms: &mut Terms, facts: &Facts, a: Term, b: Term) -> bool {
    let difference = terms.sub(a, b);
    suppose_zero(terms, facts, difference, true).is_some()
}

fn can_differ(terms: &mut Terms, facts: &Facts, a: Term, b: Term) -> bool {
    let difference = terms.sub(a, b);
    let ranges = [facts.range(terms, a).single(), facts.range(terms, b).single()];
    if ranges[0].is_some() && ranges[0] == ranges[1] {
        return false;
    }
    suppose_zero(terms, facts, difference, false).is_some()
}
