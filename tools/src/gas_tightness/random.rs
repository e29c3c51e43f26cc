//! A search that knows nothing: random transactions on a deployed contract. States after which code ran that had not run
//! before are gone back to.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use fastrand::Rng;
use hornet_evm::machine::{Machine, Message};
use hornet_evm::measure::{Build, State, Trail, call_watched};
use hornet_evm::{Address, U256};
use hornet_gas::ceiling::{Entry, Function, Subject};

use crate::gas_soundness::arguments::{Arguments, constructor};

const USERS: [Address; 3] =
    [Address::repeat_byte(0xa1), Address::repeat_byte(0xb2), Address::repeat_byte(0xc3)];
const GAS: u64 = 20_000_000;
const LONGEST: usize = 4;
/// States that are kept.
const MOST_STATES: usize = 200;

/// By function, the most that the contract's own code used.
pub fn dearest(
    build: &Build,
    (file, name): (&str, &str),
    time: Duration,
    seed: u64,
) -> BTreeMap<String, u64> {
    match Search::new(build, file, name, seed) {
        Some(search) if !time.is_zero() => search.run(Instant::now() + time),
        _ => BTreeMap::new(),
    }
}

struct Search {
    functions: Vec<Function>,
    contract: Address,
    states: Vec<Machine>,
    turns: BTreeSet<(usize, usize)>,
    rng: Rng,
}

impl Search {
    fn new(build: &Build, file: &str, name: &str, seed: u64) -> Option<Search> {
        let contract = build.contract(file, name)?;
        let mut rng = Rng::with_seed(seed);
        let mut state = State::default();
        let linked = build.link(file, name, &mut state).ok()?;
        for user in USERS {
            state.account(user).balance = U256::ONE << 100;
        }
        let start = state.machine(build.fork);
        let inputs = constructor(&contract.abi);
        let deployed = (0..20).find_map(|_| {
            let mut machine = start.clone();
            let arguments = Arguments { rng: &mut rng, addresses: &USERS, longest: LONGEST }.encode(&inputs);
            let data = [&linked.creation[..], &arguments].concat();
            let message = Message { from: USERS[0], origin: None, value: U256::ZERO, data, gas: GAS };
            machine.deploy(message).created.map(|address| (address, machine))
        });
        let (address, machine) = deployed?;
        let functions = Subject::of_solc(contract).functions;
        let found = (!functions.is_empty()).then_some(());
        found?;
        Some(Search { functions, contract: address, states: vec![machine], turns: BTreeSet::new(), rng })
    }

    fn run(mut self, deadline: Instant) -> BTreeMap<String, u64> {
        let mut dearest = BTreeMap::new();
        while Instant::now() < deadline {
            let mut machine = self.states[self.rng.usize(0..self.states.len())].clone();
            // A few transactions in a row.
            for _ in 0..self.rng.usize(1..6) {
                self.transaction(&mut machine, &mut dearest);
            }
        }
        dearest
    }

    fn transaction(&mut self, machine: &mut Machine, dearest: &mut BTreeMap<String, u64>) {
        let at = self.rng.usize(0..self.functions.len());
        let value = if self.rng.u8(0..4) == 0 { U256::from(self.rng.u16(0..1000)) } else { U256::ZERO };
        let from = USERS[self.rng.usize(0..USERS.len())];
        machine.environment.timestamp += U256::from(self.rng.u32(0..100_000));
        machine.environment.number += U256::ONE;
        let message = Message { from, origin: None, value, data: self.data(at), gas: GAS };
        let mut trail = Trail::of(self.contract);
        let measurement = call_watched(machine, self.contract, &message, &mut trail);
        if measurement.outcome.halt.is_some() {
            return;
        }
        let own = measurement.execution - measurement.callees;
        let most: &mut u64 = dearest.entry(self.functions[at].signature.clone()).or_default();
        let dearer = own > *most;
        *most = own.max(*most);
        let new_way = trail.turns.iter().any(|turn| !self.turns.contains(turn));
        self.turns.extend(trail.turns);
        if (new_way || dearer) && measurement.outcome.success {
            if self.states.len() >= MOST_STATES {
                let at = self.rng.usize(1..self.states.len());
                self.states.swap_remove(at);
            }
            self.states.push(machine.clone());
        }
    }

    fn data(&mut self, at: usize) -> Vec<u8> {
        let function = &self.functions[at];
        let addresses = [&USERS[..], &[self.contract, Address::ZERO]].concat();
        match function.entry {
            Entry::Selector(selector) => {
                let mut arguments = Arguments { rng: &mut self.rng, addresses: &addresses, longest: LONGEST };
                [&selector[..], &arguments.encode(&function.inputs)].concat()
            }
            Entry::Receive => Vec::new(),
            Entry::Fallback => vec![0xff; self.rng.usize(1..40)],
        }
    }
}
