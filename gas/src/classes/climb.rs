//! Transactions are varied, and what is dearer or goes a new way is varied again.

use std::collections::{BTreeSet, VecDeque};

use fastrand::Rng;

use super::Measure;
use super::candidate::{Candidate, Price, Run};
use super::mutate::{Change, answering, plain, random};
use crate::watch::Watch;

/// Transactions that are run for one function.
const MOST_RUNS: usize = 6_000;
/// What they take in all: where a run can always be longer, a few are enough.
const MOST_GAS: u64 = 200_000_000;
/// Changes at random, after those that have a reason.
const RANDOM_RUNS: usize = 300;

pub(super) struct Climb<'a> {
    watch: Watch<'a>,
    measure: Measure,
    /// Any state will do.
    free: bool,
    best: Option<(Candidate, (u64, u64))>,
    /// Whose neighbours have not been looked at.
    open: VecDeque<(Candidate, Run)>,
    /// Turns that some run made.
    seen: BTreeSet<(usize, usize)>,
    /// What runs cost that came to an end.
    prices: BTreeSet<Price>,
    rng: Rng,
    runs: usize,
    gas: u64,
}

/// What trying has found.
pub(super) struct Tried {
    pub best: Option<Candidate>,
    pub prices: BTreeSet<Price>,
}

impl<'a> Climb<'a> {
    pub fn new(watch: Watch<'a>, measure: Measure, free: bool) -> Climb<'a> {
        Climb {
            watch,
            measure,
            free,
            best: None,
            open: VecDeque::new(),
            seen: BTreeSet::new(),
            prices: BTreeSet::new(),
            rng: Rng::with_seed(7),
            runs: 0,
            gas: 0,
        }
    }

    pub fn into_tried(self) -> Tried {
        Tried { best: self.best.map(|(candidate, _)| candidate), prices: self.prices }
    }

    fn is_over(&self) -> bool {
        self.runs >= MOST_RUNS || self.gas >= MOST_GAS || self.watch.is_over()
    }

    /// Runs a candidate; true if it is the dearest so far.
    pub fn try_out(&mut self, candidate: Candidate) -> bool {
        if self.is_over() {
            return false;
        }
        self.runs += 1;
        let run = candidate.run();
        self.gas += run.measurement.execution;
        let Some(score) = run.score(self.measure) else { return false };
        self.prices.insert(Price::of(&run.measurement, self.measure));
        let better = self.best.as_ref().is_none_or(|(_, best)| score > *best);
        let new_way = run.turns().iter().any(|turn| !self.seen.contains(turn));
        self.seen.extend(run.turns());
        if better {
            self.best = Some((candidate.clone(), score));
            self.open.push_front((candidate, run));
        } else if new_way {
            self.open.push_back((candidate, run));
        }
        better
    }

    pub fn run(&mut self) {
        loop {
            while let Some((candidate, run)) = self.open.pop_front() {
                self.neighbours(&candidate, &run);
                if self.is_over() {
                    return;
                }
            }
            let Some((best, _)) = self.best.clone() else { return };
            self.wander(&best);
            if self.open.is_empty() || self.is_over() {
                return;
            }
        }
    }

    /// All changes that what the run looked at suggests. Those that help are kept while the others are tried.
    fn neighbours(&mut self, candidate: &Candidate, run: &Run) {
        let mut base = candidate.clone();
        for change in answering(candidate, run).into_iter().chain(plain(candidate, run)) {
            if self.is_over() {
                return;
            }
            if !self.free && change.is_of_state() {
                continue;
            }
            let changed = with(&base, &[change]);
            if self.try_out(changed.clone()) {
                base = changed;
            }
        }
    }

    /// A few changes at a time, without a reason.
    fn wander(&mut self, start: &Candidate) {
        let run = start.run();
        for _ in 0..RANDOM_RUNS {
            if self.is_over() {
                return;
            }
            let count = self.rng.usize(1..4);
            let changes: Vec<Change> =
                (0..count).filter_map(|_| random(start, &run, &mut self.rng)).collect();
            if !self.free && changes.iter().any(Change::is_of_state) {
                continue;
            }
            self.try_out(with(start, &changes));
        }
    }
}

fn with(candidate: &Candidate, changes: &[Change]) -> Candidate {
    let mut changed = candidate.clone();
    changes.iter().for_each(|change| change.apply(&mut changed));
    changed
}
