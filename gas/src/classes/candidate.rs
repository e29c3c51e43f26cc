//! A transaction that may be dear, and the state that it begins in.

use std::collections::BTreeSet;

use hornet_evm::machine::{Machine, Message};
use hornet_evm::measure::{Measurement, State, Trail, call, call_watched, deploy, deploy_watched};
use hornet_evm::{Address, U256};

use super::home::{CALLER, CONTRACT, Home};
use super::{Measure, Witness};

/// The most that a transaction may take on the main chain since Osaka: what needs more is not worth looking at.
const GAS: u64 = 1 << 24;

#[derive(Clone)]
pub(super) struct Candidate {
    /// Before the transaction.
    pub machine: Machine,
    pub message: Message,
    /// Where the arguments begin in its data: behind a selector, or behind the code of a contract that is deployed.
    arguments: usize,
    deploys: bool,
}

/// What all runs of a class have in common. The bytes of a transaction cost what they cost whatever it does, so that they
/// are no part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Price {
    pub returns: bool,
    own: u64,
    /// Nothing, where it does not matter.
    refund: u64,
}

impl Price {
    pub fn of(measurement: &Measurement, measure: Measure) -> Price {
        Price {
            returns: measurement.outcome.success,
            own: measurement.execution.saturating_sub(measurement.callees),
            refund: if measure == Measure::Transaction { measurement.refund } else { 0 },
        }
    }
}

/// How a candidate did.
pub(super) struct Run {
    pub measurement: Measurement,
    pub trail: Trail,
    deploys: bool,
}

impl Run {
    /// What is to be as large as possible, and what comes next. `None` for runs that take whatever they are given.
    pub fn score(&self, measure: Measure) -> Option<(u64, u64)> {
        let measurement = &self.measurement;
        if self.deploys && !measurement.outcome.success {
            // There is no contract: this is where to go on from, but nothing to look for.
            return Some((0, 0));
        }
        let price = Price::of(measurement, measure);
        let paid = measurement.total.saturating_sub(measurement.callees);
        measurement.outcome.halt.is_none().then_some(match measure {
            Measure::Execution => (price.own, paid),
            Measure::Transaction => (paid, price.own),
        })
    }

    pub fn turns(&self) -> &BTreeSet<(usize, usize)> {
        &self.trail.turns
    }
}

impl Candidate {
    /// A call without ether, in a state where nothing was written.
    pub fn new(home: &Home, data: Vec<u8>) -> Candidate {
        let message = Message { from: CALLER, origin: None, value: U256::ZERO, data, gas: GAS };
        Candidate { machine: home.machine.clone(), message, arguments: 4, deploys: false }
    }

    /// A deployment with these arguments.
    pub fn deployment(home: &Home, creation: &[u8], arguments: &[u8]) -> Candidate {
        let call = Candidate::new(home, [creation, arguments].concat());
        Candidate { arguments: creation.len(), deploys: true, ..call }
    }

    pub fn run(&self) -> Run {
        let mut machine = self.machine.clone();
        let mut trail = Trail::of(self.contract());
        let measurement = match self.deploys {
            true => deploy_watched(&mut machine, &self.message, &mut trail),
            false => call_watched(&mut machine, CONTRACT, &self.message, &mut trail),
        };
        Run { measurement, trail, deploys: self.deploys }
    }

    /// Whose code runs.
    fn contract(&self) -> Address {
        match self.deploys {
            true => self.message.from.create(self.machine.nonce(self.message.from)),
            false => CONTRACT,
        }
    }

    /// The word of calldata that an argument may be in.
    pub fn word(&self, at: usize) -> U256 {
        let bytes = self.message.data.iter().skip(self.arguments + 32 * at).take(32).copied();
        bytes.fold(U256::ZERO, |word, byte| (word << 8) | U256::from(byte))
    }

    pub fn set_word(&mut self, at: usize, word: U256) {
        if let Some(bytes) =
            self.message.data.get_mut(self.arguments + 32 * at..self.arguments + 32 * (at + 1))
        {
            bytes.copy_from_slice(&word.to_be_bytes::<32>());
        }
    }

    /// How many whole words of arguments there are.
    pub fn words(&self) -> usize {
        self.message.data.len().saturating_sub(self.arguments) / 32
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
        let measurement = match self.deploys {
            true => deploy(home.fork(), &state, &self.message).0,
            false => call(home.fork(), &state, CONTRACT, &self.message),
        };
        Witness { state, contract: self.contract(), message: self.message.clone(), measurement }
    }
}
