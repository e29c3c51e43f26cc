//! Throws out what some function breaks until nothing is broken; then keeps what is needed.

use super::probe::{Lab, Probe, Suspect};
use hornet_smt::term::TermId;
use hornet_symbolic::exec::CheckKey;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Candidates that together hold always, and what follows from them.
pub struct Search<'l, 'p> {
    pub lab: &'l Lab<'p>,
    pub probes: Vec<Probe<'p>>,
    pub alive: Vec<bool>,
}

impl Search<'_, '_> {
    /// False if time was over before the rest was known to be inductive.
    pub fn stabilise(&mut self) -> bool {
        let mut dirty = vec![true; self.probes.len()];
        while let Some(at) = dirty.iter().position(|d| *d) {
            if self.lab.clock.is_over() {
                return false;
            }
            dirty[at] = false;
            let dropped = self.probes[at].broken(self.lab, &self.alive);
            for &number in &dropped {
                self.alive[number] = false;
            }
            for (other, probe) in self.probes.iter().enumerate() {
                if other != at && dropped.iter().any(|number| probe.concerns(*number)) {
                    dirty[other] = true;
                }
            }
        }
        !self.lab.clock.is_over()
    }

    /// The wanted checks that hold with the survivors, but for those that are known already.
    pub fn provable(&mut self, known: &FxHashSet<CheckKey>) -> Vec<(usize, CheckKey, TermId)> {
        let mut found = Vec::new();
        for at in 0..self.probes.len() {
            let wanted: Vec<(CheckKey, TermId)> =
                self.probes[at].wanted.iter().filter(|(key, _)| !known.contains(key)).cloned().collect();
            if wanted.is_empty() {
                continue;
            }
            let relied_on = self.probes[at].reliable(&self.alive);
            let mut question = self.probes[at].ask(self.lab);
            for (key, claim) in wanted {
                if question.is_refuted_by(&mut self.probes[at], self.lab, claim, &relied_on) {
                    found.push((at, key, claim));
                }
            }
        }
        found
    }

    /// For each check, candidates that prove it and each other; a small set, though not always the smallest.
    pub fn needed(&mut self, checks: &[(usize, CheckKey, TermId)]) -> Vec<(CheckKey, Vec<usize>)> {
        let mut reasons = Reasons::default();
        let mut result = Vec::new();
        for (at, key, claim) in checks {
            let mut needed = BTreeSet::new();
            let mut assertions = FxHashSet::default();
            let mut work = vec![(*at, *claim, None)];
            while let Some((at, claim, own)) = work.pop() {
                for reason in reasons.of(self, at, claim, own) {
                    match reason {
                        Suspect::Candidate(number) if needed.insert(number) => {
                            let breaks = self.probes.iter().enumerate();
                            let breaks = breaks.filter_map(|(at, p)| Some((at, p.break_of(reason)?)));
                            work.extend(breaks.map(|(at, claim)| (at, claim, Some(reason))));
                        }
                        Suspect::Assertion(span) if assertions.insert((at, span)) => {
                            let claim = self.probes[at].break_of(reason);
                            work.extend(claim.map(|claim| (at, claim, None)));
                        }
                        Suspect::Candidate(_) | Suspect::Assertion(_) => {}
                    }
                }
            }
            result.push((key.clone(), needed.into_iter().collect()));
        }
        result
    }
}

/// What each claim was refuted by.
#[derive(Default)]
struct Reasons {
    known: FxHashMap<(usize, TermId), Vec<Suspect>>,
    /// Those that were used before come first.
    used: Vec<Suspect>,
}

impl Reasons {
    /// `own` is what the claim breaks: relied on in any case.
    fn of(
        &mut self,
        search: &mut Search<'_, '_>,
        at: usize,
        claim: TermId,
        own: Option<Suspect>,
    ) -> Vec<Suspect> {
        if let Some(known) = self.known.get(&(at, claim)) {
            return known.clone();
        }
        let mut order = search.probes[at].reliable(&search.alive);
        order.retain(|reason| Some(*reason) != own);
        order.sort_by_key(|reason| !self.used.contains(reason));
        let lab = search.lab;
        let probe = &mut search.probes[at];
        let mut question = probe.ask(lab);
        let mut refutes = |set: &[Suspect]| {
            let set: Vec<Suspect> = own.into_iter().chain(set.iter().copied()).collect();
            question.is_refuted_by(probe, lab, claim, &set)
        };
        let reason = if refutes(&[]) { Vec::new() } else { explain(&mut refutes, &[], false, &order) };
        self.used.extend(reason.iter().filter(|r| !self.used.contains(r)).copied().collect::<Vec<_>>());
        self.known.insert((at, claim), reason.clone());
        reason
    }
}

/// QuickXplain: what must be added to `base` from `order`, of which earlier ones are preferred. Halves that are not
/// needed go at once.
fn explain(
    refutes: &mut dyn FnMut(&[Suspect]) -> bool,
    base: &[Suspect],
    is_grown: bool,
    order: &[Suspect],
) -> Vec<Suspect> {
    if order.is_empty() || is_grown && refutes(base) {
        return Vec::new();
    }
    if order.len() == 1 {
        return order.to_vec();
    }
    let (left, right) = order.split_at(order.len() / 2);
    let from_right = explain(refutes, &[base, left].concat(), true, right);
    let from_left = explain(refutes, &[base, &from_right].concat(), !from_right.is_empty(), left);
    [from_left, from_right].concat()
}
