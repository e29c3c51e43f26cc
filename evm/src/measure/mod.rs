//! What transactions cost: contracts compiled with the user's settings (`build`), run from a given state under the
//! rules of a hard fork.
//!
//! ```text
//! let build = measure::compile(&compilers, sources, remappings, &Settings::default())?;
//! let mut state = State::default();
//! let linked = build.link("Token.sol", "Token", &mut state)?;
//! let (deployment, after) = measure::deploy(build.fork, &state, &Message { data: linked.creation, … });
//! let call = measure::call(build.fork, &after, deployment.outcome.created?, &Message { data, … });
//! ```

mod build;
mod callees;
mod trail;

use std::collections::BTreeMap;

use revm::context_interface::cfg::GasParams;
use revm::context_interface::cfg::gas::get_tokens_in_calldata;
use revm::inspector::NoOpInspector;

use crate::machine::{Environment, Fork, Machine, Message, Outcome, Watcher};
use crate::{Address, U256};
pub use build::{Build, BuildError, Linked, Settings, compile};
use callees::Callees;
pub use trail::Trail;

/// The rules under which gas is measured. Before Istanbul, storage and calls had other prices that no chain has now.
pub const FORKS: [Fork; 8] = [
    Fork::Istanbul,
    Fork::Berlin,
    Fork::London,
    Fork::Paris,
    Fork::Shanghai,
    Fork::Cancun,
    Fork::Prague,
    Fork::Osaka,
];

/// The rules that the main chain has now.
pub const NEWEST_FORK: Fork = FORKS[FORKS.len() - 1];

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Account {
    pub balance: U256,
    pub nonce: u64,
    pub code: Vec<u8>,
    pub storage: BTreeMap<U256, U256>,
}

/// Everything that a transaction starts from. All of it was there before: nothing is warm, nothing is new.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub accounts: BTreeMap<Address, Account>,
    pub environment: Environment,
}

impl State {
    pub fn account(&mut self, address: Address) -> &mut Account {
        self.accounts.entry(address).or_default()
    }

    /// A chain in this state.
    pub fn machine(&self, fork: Fork) -> Machine {
        let mut machine = Machine::new(fork, self.environment.clone());
        for (address, account) in &self.accounts {
            machine.set_balance(*address, account.balance);
            machine.set_nonce(*address, account.nonce);
            if !account.code.is_empty() {
                machine.set_code(*address, account.code.clone());
            }
            for (slot, value) in &account.storage {
                machine.set_storage(*address, *slot, *value);
            }
        }
        machine
    }

    /// The state that a chain is in.
    pub fn of(machine: &Machine) -> State {
        let account = |address| Account {
            balance: machine.balance(address),
            nonce: machine.nonce(address),
            code: machine.code(address),
            storage: machine.storage_slots(address),
        };
        let accounts = machine.addresses().map(|address| (address, account(address))).collect();
        State { accounts, environment: machine.environment.clone() }
    }
}

/// What a transaction cost, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measurement {
    /// By the code that ran, before refunds. A deployment includes what storing the code costs.
    pub execution: u64,
    /// The part of it that others used: contracts that were called or created, libraries, the chain's own contracts.
    pub callees: u64,
    /// The most bytes that one of them gave back.
    pub returned: u64,
    /// For being a transaction, or a creation with so much code, at all.
    pub intrinsic: u64,
    /// For the bytes sent along.
    pub calldata: u64,
    /// Given back at the end, as far as the rules give it back.
    pub refund: u64,
    /// What the sender pays for: the sum without the refund, but no less than the rules take for the bytes alone.
    pub total: u64,
    pub outcome: Outcome,
}

impl Measurement {
    fn new(fork: Fork, creates: bool, data: &[u8], outcome: Outcome, callees: &Callees) -> Measurement {
        let (intrinsic, calldata) = before_execution(fork, creates, data);
        Measurement {
            execution: outcome.gas_spent.saturating_sub(intrinsic + calldata),
            callees: callees.used,
            returned: callees.returned,
            intrinsic,
            calldata,
            refund: outcome.gas_refunded,
            total: outcome.gas_used,
            outcome,
        }
    }
}

/// What is taken before the first instruction: for the transaction itself, and for its bytes.
pub fn before_execution(fork: Fork, creates: bool, data: &[u8]) -> (u64, u64) {
    let prices = GasParams::new_spec(fork.spec());
    let all = prices.initial_tx_gas(data, creates, 0, 0, 0, None).initial_total_gas();
    let tokens = get_tokens_in_calldata(data, prices.tx_token_non_zero_byte_multiplier());
    let bytes = tokens * prices.tx_token_cost();
    (all - bytes, bytes)
}

/// The least that a transaction with these bytes is taken for, whatever it does.
pub fn floor(fork: Fork, creates: bool, data: &[u8]) -> u64 {
    GasParams::new_spec(fork.spec()).initial_tx_gas(data, creates, 0, 0, 0, None).floor_gas()
}

/// One call from the state; the state stays as it is.
pub fn call(fork: Fork, state: &State, to: Address, message: &Message) -> Measurement {
    call_and_state(fork, state, to, message).0
}

/// As [`call`], with the state that it leaves.
pub fn call_and_state(fork: Fork, state: &State, to: Address, message: &Message) -> (Measurement, State) {
    let mut machine = state.machine(fork);
    let measurement = call_watched(&mut machine, to, message, NoOpInspector);
    (measurement, State::of(&machine))
}

/// One call on a chain, with somebody watching.
pub fn call_watched<W: Watcher>(
    machine: &mut Machine,
    to: Address,
    message: &Message,
    watcher: W,
) -> Measurement {
    let mut callees = Callees::default();
    let outcome = machine.call_watched(to, message.clone(), (&mut callees, watcher));
    Measurement::new(machine.fork, false, &message.data, outcome, &callees)
}

/// Runs creation code with the encoded arguments behind it; the new contract is at `outcome.created`.
pub fn deploy(fork: Fork, state: &State, message: &Message) -> (Measurement, State) {
    let mut machine = state.machine(fork);
    let measurement = deploy_watched(&mut machine, message, NoOpInspector);
    (measurement, State::of(&machine))
}

/// One deployment on a chain, with somebody watching.
pub fn deploy_watched<W: Watcher>(machine: &mut Machine, message: &Message, watcher: W) -> Measurement {
    let mut callees = Callees::default();
    let outcome = machine.deploy_watched(message.clone(), (&mut callees, watcher));
    Measurement::new(machine.fork, true, &message.data, outcome, &callees)
}
