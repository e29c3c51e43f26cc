//! Runs generated contracts on both sides and compares return data, revert data, logs and storage after every call.

use super::generate;
use super::shrink::shrink;
use super::tree::Contract;
use super::values::{Call, random_call};
use hornet_evm::machine::{Environment, Fork, Machine, Message};
use hornet_evm::solc::{Compilers, Input, Settings};
use hornet_evm::{Address, U256};
use hornet_frontend::lower;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_ir::diag::Severity;
use hornet_ir::interp::{Interpreter, Status};
use hornet_ir::program::Program;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

pub struct Options {
    /// How many calls to compare, at least.
    pub calls: usize,
    pub seed: u64,
    /// How many differing contracts to shrink and print.
    pub show: usize,
}

#[derive(Default)]
pub struct Report {
    pub same: usize,
    pub different: usize,
    pub unsupported: usize,
    /// Of the calls that are the same, how many did not revert.
    pub succeeded: usize,
    pub contracts: usize,
    /// Generated contracts that solc refuses (stack too deep, mostly).
    pub rejected: usize,
    /// What differs, shrunk where asked for.
    pub findings: Vec<String>,
}

impl Report {
    pub fn print(&self) {
        for finding in &self.findings {
            println!("{finding}");
        }
        println!("contracts: {}, refused by solc {}", self.contracts, self.rejected);
        println!("calls that did not revert: {}", self.succeeded);
        println!("calls: same {}, different {}, unsupported {}", self.same, self.different, self.unsupported);
    }
}

/// Contracts that run in parallel between two looks at the number of calls.
const BATCH: u64 = 24;
const CALLS_PER_CONTRACT: usize = 100;
const NAME: &str = "C";
const FILE: &str = "generated.sol";
const GAS: u64 = 30_000_000;
const SENDER: Address = Address::repeat_byte(0x11);

/// What came of one contract.
enum Verdict {
    Rejected,
    /// Calls, and how many of them succeeded.
    Same(usize, usize),
    Unsupported(String, usize),
    Different(Difference),
}

struct Difference {
    calls_before: usize,
    description: String,
}

pub fn run(compilers: &Compilers, options: &Options) -> Report {
    let mut report = Report::default();
    let mut seed = options.seed;
    while report.same + report.different + report.unsupported < options.calls {
        let batch: Vec<u64> = (seed..seed + BATCH).collect();
        seed += BATCH;
        let verdicts: Vec<(u64, Verdict)> = batch
            .into_par_iter()
            .map(|s| (s, try_contract(compilers, &generate::contract(NAME, s), s)))
            .collect();
        for (seed, verdict) in verdicts {
            tally(compilers, options, &mut report, seed, verdict);
        }
    }
    report
}

fn tally(compilers: &Compilers, options: &Options, report: &mut Report, seed: u64, verdict: Verdict) {
    match verdict {
        Verdict::Rejected => {
            report.rejected += 1;
            return;
        }
        Verdict::Same(calls, succeeded) => {
            report.same += calls;
            report.succeeded += succeeded;
        }
        Verdict::Unsupported(what, calls) => {
            report.unsupported += calls;
            report.findings.push(format!("seed {seed}: unsupported: {what}"));
        }
        Verdict::Different(difference) => {
            report.same += difference.calls_before;
            report.different += 1;
            let text = if report.different <= options.show {
                smallest(compilers, seed)
            } else {
                difference.description
            };
            report.findings.push(format!("seed {seed}: {text}"));
        }
    }
    report.contracts += 1;
}

/// The smallest variant of a seed's contract that still differs, with what differs.
fn smallest(compilers: &Compilers, seed: u64) -> String {
    let fails = |c: &Contract| matches!(try_contract(compilers, c, seed), Verdict::Different(_));
    let small = shrink(generate::contract(NAME, seed), fails, 400);
    match try_contract(compilers, &small, seed) {
        Verdict::Different(difference) => format!("{}\n{}", difference.description, small.print()),
        Verdict::Rejected | Verdict::Same(..) | Verdict::Unsupported(..) => small.print(),
    }
}

/// The contract that a seed generates.
pub fn source(seed: u64) -> String {
    source_of(&generate::contract(NAME, seed))
}

fn source_of(contract: &Contract) -> String {
    format!("pragma solidity >=0.8.0;\n{}", contract.print())
}

fn try_contract(compilers: &Compilers, contract: &Contract, seed: u64) -> Verdict {
    let text = source_of(contract);
    let optimizer_runs = (seed % 2 == 1).then_some(200);
    let settings = Settings { optimizer_runs, evm_version: Some("cancun".into()), ..Settings::default() };
    let input = Input { sources: BTreeMap::from([(FILE.to_owned(), text.clone())]), settings, version: None };
    let Ok(output) = compilers.compile(&input) else { return Verdict::Rejected };
    let Some(compiled) = output.contract(FILE, NAME).filter(|_| !output.has_errors()) else {
        return Verdict::Rejected;
    };
    let Ok(code) = compiled.code.link(|_, _| None) else { return Verdict::Rejected };
    let program = match program_of(&text) {
        Ok(program) => program,
        Err(what) => return Verdict::Unsupported(what, CALLS_PER_CONTRACT),
    };
    match Duel::begin(&program, code) {
        Ok(mut duel) => duel.fight(contract, seed),
        Err(what) => Verdict::Different(Difference { calls_before: 0, description: what }),
    }
}

fn program_of(text: &str) -> Result<Program, String> {
    let mut loader = Loader::new(LoadOptions::in_memory());
    loader.add_source(FILE, text);
    let compiled = hornet_frontend::compile(loader.load_names([FILE]), lower::Options::default());
    let problem = compiled.diagnostics.iter().find(|d| d.severity != Severity::Warning);
    match (problem, compiled.program) {
        (Some(problem), _) => Err(problem.message.clone()),
        (None, Some(program)) => Ok(program),
        (None, None) => Err("no program".into()),
    }
}

/// The same contract on both sides.
struct Duel<'p> {
    machine: Machine,
    interpreter: Interpreter<'p>,
    address: Address,
    own_address: hornet_ir::interp::world::Address,
    succeeded: usize,
}

impl<'p> Duel<'p> {
    fn begin(program: &'p Program, code: Vec<u8>) -> Result<Self, String> {
        let mut machine = Machine::new(Fork::Cancun, Environment::default());
        let deployed = machine.deploy(message(code));
        let address = deployed.created.ok_or("solc's contract was not created")?;
        let mut interpreter = Interpreter::new(program);
        let contract =
            program.contracts.ids().find(|c| program.contracts[*c].name == NAME).ok_or("no contract")?;
        let outcome = interpreter.deploy(contract, &[], U256::ZERO, own(SENDER));
        let own_address = outcome.address.ok_or_else(|| format!("not deployed: {:?}", outcome.status))?;
        Ok(Duel { machine, interpreter, address, own_address, succeeded: 0 })
    }

    fn fight(&mut self, contract: &Contract, seed: u64) -> Verdict {
        let mut rng = fastrand::Rng::with_seed(seed ^ 0x5eed);
        let public: Vec<_> = contract.functions.iter().filter(|f| f.public).collect();
        if public.is_empty() {
            return Verdict::Same(0, 0);
        }
        for done in 0..CALLS_PER_CONTRACT {
            let function = public[rng.usize(0..public.len())];
            let call = random_call(&mut rng, contract, function);
            match self.compare(&call) {
                Compared::Same => {}
                Compared::Unsupported(what) => return Verdict::Unsupported(what, CALLS_PER_CONTRACT - done),
                Compared::Different(description) => {
                    return Verdict::Different(Difference { calls_before: done, description });
                }
            }
        }
        Verdict::Same(CALLS_PER_CONTRACT, self.succeeded)
    }

    fn compare(&mut self, call: &Call) -> Compared {
        let evm = self.machine.call(self.address, message(call.data.clone()));
        let ours = self.interpreter.call(own(SENDER), self.own_address, U256::ZERO, &call.data);
        if let Status::Unsupported { what, .. } = &ours.status {
            return Compared::Unsupported(what.clone());
        }
        self.succeeded += usize::from(evm.success);
        let mut text = String::new();
        if evm.success != ours.succeeded() || evm.output != ours.data() {
            let _ = writeln!(text, "  solc + revm: {} {}", evm.success, hex(&evm.output));
            let _ = writeln!(text, "  interpreter: {} {}", ours.succeeded(), hex(ours.data()));
        }
        let evm_logs: Vec<_> = evm.logs.iter().map(|l| (words(&l.topics), l.data.clone())).collect();
        let our_logs: Vec<_> = ours.logs.iter().map(|l| (l.topics.clone(), l.data.clone())).collect();
        if evm.success && evm_logs != our_logs {
            let _ =
                writeln!(text, "  logs of solc + revm: {evm_logs:x?}\n  logs of interpreter: {our_logs:x?}");
        }
        let (evm_storage, our_storage) = (self.evm_storage(), self.our_storage());
        if evm_storage != our_storage {
            let _ = writeln!(text, "  storage of solc + revm: {evm_storage:x?}");
            let _ = writeln!(text, "  storage of interpreter: {our_storage:x?}");
        }
        if text.is_empty() {
            return Compared::Same;
        }
        Compared::Different(format!("call {} with {}\n{text}", call.function, hex(&call.data)))
    }

    fn evm_storage(&self) -> BTreeMap<U256, U256> {
        self.machine.storage_slots(self.address).into_iter().filter(|(_, v)| !v.is_zero()).collect()
    }

    fn our_storage(&self) -> BTreeMap<U256, U256> {
        let account = self.interpreter.world.account(self.own_address);
        let slots = account.into_iter().flat_map(|a| &a.storage);
        slots.filter(|(_, v)| !v.is_zero()).map(|(k, v)| (*k, *v)).collect()
    }
}

enum Compared {
    Same,
    Unsupported(String),
    Different(String),
}

fn message(data: Vec<u8>) -> Message {
    Message { from: SENDER, origin: None, value: U256::ZERO, data, gas: GAS }
}

fn own(address: Address) -> hornet_ir::interp::world::Address {
    U256::from_be_slice(address.as_slice())
}

fn words(topics: &[hornet_evm::B256]) -> Vec<U256> {
    topics.iter().map(|t| U256::from_be_bytes(t.0)).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::from("0x"), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
