//! A contract on a chain of its own, and random transactions by people and by contracts that call back.

use super::watch::{Codes, Seen, Watch};
use crate::values::Values;
use hornet_evm::machine::{Environment, Fork, Machine, Message};
use hornet_evm::replay::puppet::{self, NOTHING_SAID};
use hornet_evm::{Address, U256};
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use revm::inspector::NoOpInspector;
use std::fmt::Write;

const GAS: u64 = 10_000_000;
const LIBRARIAN: Address = Address::repeat_byte(0x1b);
const THIS: Address = Address::repeat_byte(0xcc);
pub const USERS: [Address; 2] = [Address::repeat_byte(0xa1), Address::repeat_byte(0xb2)];
pub const OUTSIDERS: [Address; 2] = [Address::repeat_byte(0xd4), Address::repeat_byte(0xe5)];
/// Deployments that revert before a contract is given up for this chain.
const PATIENCE: usize = 8;

pub struct Chain<'a> {
    program: &'a Program,
    contract: ContractId,
    codes: &'a Codes<'a>,
    machine: Machine,
    values: Values<'a>,
    /// The transactions so far, for people.
    pub story: String,
}

impl<'a> Chain<'a> {
    pub fn new(program: &'a Program, contract: ContractId, codes: &'a Codes<'a>, seed: u64) -> Chain<'a> {
        let mut machine = Machine::new(Fork::Cancun, Environment::default());
        for (address, creation) in codes.libraries() {
            let message = message(LIBRARIAN, U256::ZERO, creation.to_vec());
            machine.deploy_at(address, message, NoOpInspector);
        }
        for who in USERS.into_iter().chain(OUTSIDERS) {
            machine.set_balance(who, U256::ONE << 100);
        }
        // So that they are seen to have code; what they do is settled call by call.
        for outsider in OUTSIDERS {
            machine.set_code(outsider, puppet::program(&[], true, &NOTHING_SAID));
        }
        let known = USERS.into_iter().chain(OUTSIDERS).chain([THIS]);
        let addresses = known.map(|a| U256::from_be_slice(a.as_slice())).collect();
        let values = Values::new(program, seed, addresses);
        Chain { program, contract, codes, machine, values, story: String::new() }
    }

    /// With arguments that the constructor accepts, if there are any to be found; what was seen on the way.
    pub fn deploy(&mut self) -> (bool, Vec<Seen>) {
        let mut seen = Vec::new();
        let Some(constructor) = self.program.contracts[self.contract].constructor else {
            return (false, seen);
        };
        let Some(code) = self.codes.creation(self.contract) else { return (false, seen) };
        for _ in 0..PATIENCE {
            let (Some(arguments), _) = self.values.arguments(constructor) else { return (false, seen) };
            let value = self.value(30);
            let data = [code, &arguments].concat();
            let from = self.sender();
            let _ = writeln!(self.story, "  deployed by {from} with {value} wei");
            let mut watch = Watch::new(self.codes, self.contract, THIS, &mut self.values);
            let outcome = self.machine.deploy_at(THIS, message(from, value, data), &mut watch);
            seen.extend(watch.seen);
            if outcome.success {
                return (true, seen);
            }
            self.story.clear();
        }
        (false, seen)
    }

    /// One random transaction.
    pub fn step(&mut self) -> Vec<Seen> {
        self.pass_time();
        if self.values.chance(3) {
            let balance = self.machine.balance(THIS);
            self.machine.set_balance(THIS, balance.saturating_add(U256::from(self.values.rng.u8(1..9))));
        }
        let Some((name, data)) = call(self.program, self.contract, &mut self.values) else {
            return Vec::new();
        };
        let (from, value) = (self.sender(), self.value(25));
        let mut message = message(from, value, data);
        message.origin = OUTSIDERS.contains(&from).then_some(USERS[0]);
        let _ = writeln!(self.story, "  {name} from {from} with {value} wei, data {}", hex(&message.data));
        let mut watch = Watch::new(self.codes, self.contract, THIS, &mut self.values);
        self.machine.call_watched(THIS, message, &mut watch);
        watch.seen
    }

    fn pass_time(&mut self) {
        let rng = &mut self.values.rng;
        let seconds = if rng.u8(0..10) == 0 { rng.u64(0..100_000_000) } else { rng.u64(0..30) };
        self.machine.environment.timestamp += U256::from(seconds);
        self.machine.environment.number += U256::from(seconds / 12);
    }

    fn sender(&mut self) -> Address {
        *if self.values.chance(70) {
            self.values.rng.choice(&USERS)
        } else {
            self.values.rng.choice(&OUTSIDERS)
        }
        .unwrap_or(&USERS[0])
    }

    fn value(&mut self, percent: u8) -> U256 {
        if self.values.chance(percent) { U256::from(self.values.rng.u16(0..300)) } else { U256::ZERO }
    }
}

/// A function with random arguments, plain ether or random bytes: the name, and what is sent.
pub fn call(program: &Program, contract: ContractId, values: &mut Values<'_>) -> Option<(String, Vec<u8>)> {
    let decl = &program.contracts[contract];
    let odd = decl.receive.is_some() || decl.fallback.is_some();
    if decl.entries.is_empty() || (odd && values.chance(15)) {
        let length = if values.rng.bool() { 0 } else { values.rng.usize(0..40) };
        return Some(("fallback".to_owned(), (0..length).map(|_| values.rng.u8(..)).collect()));
    }
    let entry = values.rng.choice(&decl.entries)?;
    let arguments = values.arguments(entry.proc).0?;
    Some((entry.signature.clone(), [entry.selector.as_slice(), &arguments].concat()))
}

fn message(from: Address, value: U256, data: Vec<u8>) -> Message {
    Message { from, origin: None, value, data, gas: GAS }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::from("0x"), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
