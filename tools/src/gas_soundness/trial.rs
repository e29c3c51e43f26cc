//! One contract on a chain: deployed with random arguments, then called again and again.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use fastrand::Rng;
use hornet_evm::machine::{Machine, Message};
use hornet_evm::measure::{Build, State, before_execution};
use hornet_evm::{Address, U256};
use hornet_gas::ceiling::{Ceiling, Entry, Function, Given, Options, Subject, ceilings};

use super::arguments::{Arguments, constructor};
use super::watch::Watch;

#[derive(Default)]
pub struct Tally {
    pub contracts: usize,
    /// Files that the compiler refuses under every fork.
    pub refused: usize,
    pub transactions: usize,
    /// Of these, those that did not revert.
    pub succeeded: usize,
    pub exceeded: usize,
    /// Ran out of gas or met an invalid instruction: they take what they are given.
    pub burnt: usize,
    /// The ceiling says nothing about them.
    pub unbounded: usize,
    pub functions: Functions,
    /// Ceiling by dearest run, of functions without parameters.
    pub tightness: Vec<f64>,
    pub text: String,
}

#[derive(Clone, Copy, Default)]
pub struct Functions {
    pub constant: usize,
    pub parametric: usize,
    pub unbounded: usize,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.contracts += other.contracts;
        self.refused += other.refused;
        self.transactions += other.transactions;
        self.succeeded += other.succeeded;
        self.exceeded += other.exceeded;
        self.burnt += other.burnt;
        self.unbounded += other.unbounded;
        self.functions.constant += other.functions.constant;
        self.functions.parametric += other.functions.parametric;
        self.functions.unbounded += other.functions.unbounded;
        self.tightness.extend(other.tightness);
        self.text += &other.text;
    }

    pub fn last_lines(&self) -> String {
        let Functions { constant, parametric, unbounded } = self.functions;
        let all = (constant + parametric + unbounded).max(1);
        let mut ratios = self.tightness.clone();
        ratios.sort_by(f64::total_cmp);
        let quantile =
            |share: f64| ratios.get((share * ratios.len() as f64) as usize).copied().unwrap_or(1.0);
        format!(
            "contracts: {}, refused by the compiler {}\n\
             functions: constant {constant}, parametric {parametric}, unbounded {unbounded} ({:.1} % have a bound)\n\
             ceiling / dearest run where constant: median {:.3}, 90 % {:.3} ({} functions)\n\
             transactions: {}, succeeded {}, without a bound {}, took all gas {}, exceeded {}",
            self.contracts,
            self.refused,
            100.0 * (constant + parametric) as f64 / all as f64,
            quantile(0.5),
            quantile(0.9),
            ratios.len(),
            self.transactions,
            self.succeeded,
            self.unbounded,
            self.burnt,
            self.exceeded,
        )
    }
}

pub struct Trial {
    name: String,
    machine: Machine,
    address: Address,
    code: Vec<u8>,
    functions: Vec<Function>,
    ceilings: Vec<Ceiling>,
    rng: Rng,
    list: bool,
}

const USERS: [Address; 4] = [
    Address::repeat_byte(0xa1),
    Address::repeat_byte(0xb2),
    Address::repeat_byte(0xc3),
    Address::repeat_byte(0xd4),
];
const GAS: u64 = 20_000_000;
/// Deployments that are tried.
const PATIENCE: usize = 20;
const LONGEST: usize = 6;
/// For the ceilings of one contract; what takes longer has no bound.
const FOR_CEILINGS: Duration = Duration::from_secs(120);

impl Trial {
    pub fn new(build: &Build, file: &str, name: &str, seed: u64, list: bool) -> Option<Trial> {
        let contract = build.contract(file, name)?;
        if contract.deployed.is_empty() || contract.abi.as_array().is_none_or(Vec::is_empty) {
            return None;
        }
        let mut state = State::default();
        let linked = build.link(file, name, &mut state).ok()?;
        let mut rng = Rng::with_seed(seed);
        let mut machine = Machine::new(build.fork, Default::default());
        for (address, account) in &state.accounts {
            machine.set_code(*address, account.code.clone());
            machine.set_nonce(*address, account.nonce);
        }
        for user in USERS {
            machine.set_balance(user, U256::ONE << 100);
        }
        let constructor = constructor(&contract.abi);
        let mut address = None;
        for _ in 0..PATIENCE {
            let arguments =
                Arguments { rng: &mut rng, addresses: &USERS, longest: LONGEST }.encode(&constructor);
            let value = if rng.u8(0..3) == 0 { U256::from(rng.u16(0..1000)) } else { U256::ZERO };
            let data = [&linked.creation[..], &arguments].concat();
            let message = Message { from: USERS[0], origin: None, value, data, gas: GAS };
            address = machine.deploy(message).created;
            if address.is_some() {
                break;
            }
        }
        let address = address?;
        let code = machine.code(address);
        let subject = Subject::deployed(contract, code.clone());
        let ceilings = ceilings(&subject, &Options { time: Some(FOR_CEILINGS), ..Options::new(build.fork) });
        let optimised = if build.settings.optimizer_runs.is_some() { "optimised" } else { "plain" };
        let name = format!("{file}:{name} ({}, {optimised})", build.fork.name());
        Some(Trial { name, machine, address, code, functions: subject.functions, ceilings, rng, list })
    }

    pub fn run(mut self, transactions: usize) -> Tally {
        let mut tally = Tally { contracts: 1, ..Tally::default() };
        let mut dearest: BTreeMap<usize, u64> = BTreeMap::new();
        if !self.functions.is_empty() {
            for _ in 0..transactions {
                self.transaction(&mut tally, &mut dearest);
            }
        }
        for (at, ceiling) in self.ceilings.iter().enumerate() {
            self.sum_up(ceiling, dearest.get(&at).copied(), &mut tally);
        }
        tally
    }

    fn sum_up(&self, ceiling: &Ceiling, dearest: Option<u64>, tally: &mut Tally) {
        let bounded = ceiling.blames.is_empty() && !ceiling.execution.is_endless();
        match ceiling.execution.constant() {
            Some(most) if bounded => {
                tally.functions.constant += 1;
                if let Some(dearest) = dearest.filter(|gas| *gas > 0) {
                    tally.tightness.push(most as f64 / dearest as f64);
                }
            }
            _ if bounded => tally.functions.parametric += 1,
            _ => tally.functions.unbounded += 1,
        }
        if self.list {
            let seen = dearest.map_or_else(|| "–".to_owned(), |gas| gas.to_string());
            let blame: Vec<String> =
                ceiling.blames.iter().map(|b| format!("{:?} at {}", b.reason, b.pc)).collect();
            let _ = writeln!(
                tally.text,
                "{} {}: seen {seen}, ceiling {} {}",
                self.name,
                ceiling.function,
                ceiling.execution,
                blame.join(", ")
            );
        }
    }

    fn transaction(&mut self, tally: &mut Tally, dearest: &mut BTreeMap<usize, u64>) {
        self.pass_time();
        let at = self.rng.usize(0..self.functions.len());
        let data = self.data(at);
        let value = if self.rng.u8(0..4) == 0 { U256::from(self.rng.u16(0..1000)) } else { U256::ZERO };
        let from = USERS[self.rng.usize(0..USERS.len()).min(self.rng.usize(0..USERS.len()))];
        let before = self.machine.clone();
        let message = Message { from, origin: None, value, data: data.clone(), gas: GAS };
        let mut watch = Watch::default();
        let outcome = self.machine.call_watched(self.address, message, &mut watch);
        tally.transactions += 1;
        tally.succeeded += usize::from(outcome.success);
        if outcome.halt.is_some() {
            tally.burnt += 1;
            return;
        }
        let (intrinsic, bytes) = before_execution(self.machine.fork, false, &data);
        let own = (outcome.gas_spent - intrinsic - bytes).saturating_sub(watch.callees);
        let seen = dearest.entry(at).or_default();
        *seen = (*seen).max(own);
        let given = Given {
            calldata: &data,
            address: self.address,
            code: &self.code,
            sender: from,
            value,
            storage: &|slot| before.storage(self.address, slot),
            block: &before.environment,
            returned: watch.returned,
            rounds: &|pc| watch.visits(pc),
        };
        match self.ceilings[at].execution.of_transaction(&given) {
            None => tally.unbounded += 1,
            Some(most) if own <= most => {}
            Some(most) => {
                tally.exceeded += 1;
                let _ = writeln!(
                    tally.text,
                    "EXCEEDED {} {}: {own} > {most} = {} with {} by {from}, {value} wei",
                    self.name,
                    self.functions[at].signature,
                    self.ceilings[at].execution,
                    data.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
                );
            }
        }
    }

    fn data(&mut self, at: usize) -> Vec<u8> {
        let function = &self.functions[at];
        let addresses = [&USERS[..], &[self.address, Address::ZERO]].concat();
        match function.entry {
            Entry::Selector(selector) => {
                let mut arguments = Arguments { rng: &mut self.rng, addresses: &addresses, longest: LONGEST };
                let mut data = [&selector[..], &arguments.encode(&function.inputs)].concat();
                // Now and then too short, or with something behind it.
                match self.rng.u16(0..300) {
                    0 => data.truncate(self.rng.usize(4..=data.len())),
                    1 => data.extend((0..self.rng.usize(0..100)).map(|_| 7)),
                    _ => {}
                }
                data
            }
            Entry::Receive => Vec::new(),
            Entry::Fallback => (0..self.rng.usize(0..70)).map(|_| self.rng.u8(200..)).collect(),
        }
    }

    fn pass_time(&mut self) {
        let seconds = if self.rng.u8(0..10) == 0 { self.rng.u64(0..10_000_000) } else { self.rng.u64(0..30) };
        self.machine.environment.timestamp += U256::from(seconds);
        self.machine.environment.number += U256::from(seconds / 12 + 1);
    }
}
