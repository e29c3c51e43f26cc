//! The state while a transaction runs: what it is when others call back from inside, and when something fails there.

use super::storage::{Binding, changed};
use super::told::{Teller, ToldStep};
use hornet_evm::replay::StepResult;
use std::collections::BTreeMap;

/// The calls of a transaction, by their place among them; the transaction itself is 0.
pub struct Inside {
    /// The state when each begins and ends, as far as the machine saw them.
    seen: BTreeMap<usize, [Vec<Binding>; 2]>,
    failed: Option<(usize, Vec<Binding>)>,
}

impl Inside {
    pub fn new(teller: &Teller, result: &StepResult) -> Inside {
        let seen = result.inside.iter();
        let seen = seen.map(|(at, call)| (*at, [teller.storage(&call.begin), teller.storage(&call.end)]));
        let failed = result.failed.as_ref().map(|(at, slots)| (*at, teller.storage(slots)));
        Inside { seen: seen.collect(), failed }
    }

    /// Puts beside each call what is different when the next begins.
    pub fn tell(self, step: &mut ToldStep, before: Vec<Binding>, after: &[Binding]) {
        let Some(last) = self.seen.keys().next_back().copied() else {
            if step.is_reentered() {
                step.afterwards = step.state.clone();
            }
            return;
        };
        let failed_in_last = self.failed.as_ref().filter(|(at, _)| *at == last);
        let mut moment = before;
        step.each_call(&mut 0, &mut |number, call| {
            if number > 0 && !self.seen.contains_key(&number) {
                return;
            }
            let next = self.seen.range(number + 1..).next().map(|(_, [begin, _])| begin);
            let own_end = || self.seen.get(&number).map(|[_, end]| end);
            let end = match failed_in_last.filter(|_| number == last) {
                Some((_, state)) => Some(state),
                None => next.or_else(own_end),
            };
            if let Some(end) = end {
                call.meanwhile = changed(&moment, end);
                moment.clone_from(end);
            }
        });
        if failed_in_last.is_none() {
            let end = self.failed.as_ref().map_or(after, |(_, state)| state.as_slice());
            step.afterwards = changed(&moment, end);
        }
    }
}
