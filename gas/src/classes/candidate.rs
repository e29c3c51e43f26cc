//! A transaction that may be dear, and the state that it begins in.

use std::collections::BTreeSet;

use hornet_evm::machine::{Machine, Message};
use hornet_evm::measure::{Measurement, State, Trail, call_watched};
use hornet_evm::{Address, U256};

use super::Witness;
use super::home::{CALLER, CONTRACT, Home};

/// The most that a transaction may take on the main chain since Osaka: what needs more is not worth looking at.
const GAS: u64 = 1 << 24;

#[derive(Clone)]
pub(super) struct Candidate {
    /// Before the transaction.
    pub machine: Machine,
    pub message: Message,
}

/// How a candidate did.
pub(super) struct Run {
    pub measurement: Measurement,
    pub trail: Trail,
}

impl Run {
    /// What is to be as large as possible: gas of the contract's own code, then what the sender pays. `None` for runs that
    /// take whatever they are given.
    pub fn score(&self) -> Option<(u64, u64)> {
        let measurement = &self.measurement;
        let own = measurement.execution.saturating_sub(measurement.callees);
        measurement.outcome.halt.is_none().then_some((own, measurement.total))
    }

    pub fn turns(&self) -> &BTreeSet<(usize, usize)> {
        &self.trail.turns
    }
}

impl Candidate {
    /// A call without ether, in a state where nothing was written.
    pub fn new(home: &Home, data: Vec<u8>) -> Candidate {
        let message = Message { from: CALLER, origin: None, value: U256::ZERO, data, gas: GAS };
        Candidate { machine: home.machine.clone(), message }
    }

    pub fn run(&self) -> Run {
        let mut machine = self.machine.clone();
        let mut trail = Trail::of(CONTRACT);
        let measurement = call_watched(&mut machine, CONTRACT, &self.message, &mut trail);
        Run { measurement, trail }
    }

    /// The word of calldata that an argument may be in.
    pub fn word(&self, at: usize) -> U256 {
        let bytes = self.message.data.iter().skip(4 + 32 * at).take(32).copied();
        bytes.fold(U256::ZERO, |word, byte| (word << 8) | U256::from(byte))
    }

    pub fn set_word(&mut self, at: usize, word: U256) {
        if let Some(bytes) = self.message.data.get_mut(4 + 32 * at..4 + 32 * (at + 1)) {
            bytes.copy_from_slice(&word.to_be_bytes::<32>());
        }
    }

    /// How many whole words of arguments there are.
    pub fn words(&self) -> usize {
        self.message.data.len().saturating_sub(4) / 32
    }

    pub fn slot(&self, slot: U256) -> U256 {
        self.machine.storage(CONTRACT, slot)
    }

    pub fn set_slot(&mut self, slot: U256, value: U256) {
        self.machine.set_storage(CONTRACT, slot, value);
    }

    /// Somebody calls who can pay for it.
    pub fn set_caller(&mut self, caller: Address) {
        self.message.from = caller;
        if self.machine.balance(caller) < self.message.value {
            self.machine.set_balance(caller, self.message.value);
        }
    }

    pub fn set_value(&mut self, value: U256) {
        self.message.value = value;
        self.set_caller(self.message.from);
    }

    /// Run once more, with nobody but the measure watching.
    pub fn witness(&self, home: &Home) -> Witness {
        let state = State::of(&self.machine);
        let measurement = hornet_evm::measure::call(home.fork(), &state, CONTRACT, &self.message);
        Witness { state, contract: CONTRACT, message: self.message.clone(), measurement }
    }
}
