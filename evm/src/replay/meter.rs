//! How much gas the calls of a contract to itself get, and how much they use.

use revm::Inspector;
use revm::context_interface::ContextTr;
use revm::interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome};

use crate::Address;

/// A call leaves this part of the gas with the caller.
const KEPT: u64 = 64;

/// Watches one of the calls that a contract makes of itself, while nobody else is involved.
pub(super) struct Meter {
    this: Address,
    /// Such calls to come before it.
    ahead: usize,
    /// Whether each open frame, from the outermost on, acts as the contract: its own code, or that of a library.
    own: Vec<bool>,
    /// The watched call: the depth of its frame, and what it was given.
    open: Option<(usize, u64)>,
    /// What it was given and what it used.
    measured: Option<(u64, u64)>,
}

/// Who runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// The contract's own code.
    Code,
    /// A library's code, on the contract's behalf.
    Library,
    Other,
}

impl Meter {
    pub fn new(this: Address, number: usize) -> Meter {
        Meter { this, ahead: number, own: Vec::new(), open: None, measured: None }
    }

    /// How much less gas the transaction must come with for the call to get just too little. `None` if it is not made,
    /// or uses nothing that could be missing.
    pub fn excess(&self) -> Option<u64> {
        let (given, used) = self.measured?;
        // What there is before a call that gets so much, or one more: the division rounds.
        let before = |given: u64| given + given.saturating_sub(1) / (KEPT - 1);
        before(given).checked_sub(before(used.checked_sub(1)?).saturating_sub(1))
    }

    fn begin(&mut self, frame: Frame, given: u64) {
        let among_itself = !self.own.is_empty() && self.own.iter().all(|own| *own);
        let is_waiting = self.measured.is_none() && self.open.is_none();
        let is_call = frame == Frame::Code && among_itself && is_waiting;
        self.own.push(frame != Frame::Other);
        if is_call && self.ahead == 0 {
            self.open = Some((self.own.len(), given));
        } else if is_call {
            self.ahead -= 1;
        }
    }

    fn end(&mut self, used: u64) {
        if let Some((depth, given)) = self.open
            && depth == self.own.len()
        {
            self.measured = Some((given, used));
            self.open = None;
        }
        self.own.pop();
    }
}

impl<C: ContextTr> Inspector<C> for Meter {
    fn call(&mut self, _: &mut C, inputs: &mut CallInputs) -> Option<CallOutcome> {
        let frame = match inputs.target_address == self.this {
            true if inputs.bytecode_address == self.this => Frame::Code,
            true => Frame::Library,
            false => Frame::Other,
        };
        self.begin(frame, inputs.gas_limit);
        None
    }

    fn call_end(&mut self, _: &mut C, _: &CallInputs, outcome: &mut CallOutcome) {
        self.end(outcome.gas().total_gas_spent());
    }

    fn create(&mut self, _: &mut C, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        self.begin(Frame::Other, inputs.gas_limit());
        None
    }

    fn create_end(&mut self, _: &mut C, _: &CreateInputs, outcome: &mut CreateOutcome) {
        self.end(outcome.gas().total_gas_spent());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a call gets of all the gas there is.
    fn given(all: u64) -> u64 {
        all - all / KEPT
    }

    #[test]
    fn just_too_little() {
        for (all, used) in [(1_000_000, 700), (999_937, 21_001), (64 * 1000, 63), (64 * 1000 - 1, 2)] {
            let meter = Meter { measured: Some((given(all), used)), ..Meter::new(Address::ZERO, 0) };
            let left = all - meter.excess().expect("it is made");
            assert!(given(left) < used, "{all} {used}");
            assert!(given(left + 4) >= used, "{all} {used}");
        }
    }

    #[test]
    fn calls_are_counted_in_the_order_in_which_they_begin() {
        let mut meter = Meter::new(Address::ZERO, 1);
        meter.begin(Frame::Code, 1000);
        meter.begin(Frame::Library, 950);
        meter.begin(Frame::Code, 900);
        meter.begin(Frame::Code, 800);
        [10, 30, 40, 100].into_iter().for_each(|used| meter.end(used));
        assert_eq!(meter.measured, Some((800, 10)));
    }

    #[test]
    fn calls_inside_those_of_others_do_not_count() {
        let mut meter = Meter::new(Address::ZERO, 0);
        meter.begin(Frame::Code, 1000);
        meter.begin(Frame::Other, 900);
        meter.begin(Frame::Code, 800);
        (0..3).for_each(|_| meter.end(1));
        assert_eq!(meter.excess(), None);
    }
}
