//! The two machines a run can use, seen alike: the interpreter of the IR, and solc's bytecode on revm.

use hornet_evm::machine::{Environment, Fork, Machine as Revm, Message};
use hornet_evm::solc::{Compilers, Input, Output, Settings};
use hornet_evm::{Address, B256};
use hornet_ir::U256;
use hornet_ir::ids::{ContractId, ObligationId};
use hornet_ir::interp::world::Env;
use hornet_ir::interp::{Interpreter, Status};
use hornet_ir::program::{ContractKind, Program};
use hornet_ir::span::{SourceMap, Span};
use std::collections::BTreeMap;

/// Everybody is rich enough.
const WEALTH: u128 = 1_000_000 * 1_000_000_000_000_000_000;
const TIMESTAMP: u64 = 1_700_000_000;
const GAS: u64 = 200_000_000;
/// Deploys libraries before anything else happens.
const LIBRARIAN: u64 = 0x11b;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    pub address: U256,
    pub topics: Vec<U256>,
    pub data: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Success,
    Revert,
    /// Out of gas, an invalid instruction.
    Halt,
    /// The interpreter met something that is not modelled.
    Unsupported {
        what: String,
        span: Option<Span>,
    },
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub end: End,
    /// Returned, or reverted with; empty for deployments that succeed.
    pub data: Vec<u8>,
    pub logs: Vec<Log>,
    pub created: Option<U256>,
    /// Checks that failed on the way, last one last.
    pub failed_checks: Vec<ObligationId>,
    /// Real gas, from the EVM.
    pub gas: Option<u64>,
}

impl Answer {
    /// Whether both say the same to an observer outside.
    pub fn agrees(&self, other: &Answer) -> bool {
        self.end == other.end
            && self.data == other.data
            && self.logs == other.logs
            && self.created == other.created
    }
}

pub struct Deployment<'a> {
    pub contract: ContractId,
    pub args: &'a [u8],
}

pub trait Machine {
    fn fund(&mut self, account: U256);
    fn deploy(&mut self, deployment: &Deployment<'_>, from: U256, value: U256) -> Result<Answer, String>;
    fn call(&mut self, to: U256, from: U256, value: U256, data: &[u8]) -> Answer;
    fn storage(&self, account: U256) -> BTreeMap<U256, U256>;
}

pub struct Interp<'p>(Interpreter<'p>);

impl<'p> Interp<'p> {
    pub fn new(program: &'p Program, libraries: &[ContractId]) -> Interp<'p> {
        let mut interpreter = Interpreter::new(program);
        interpreter.world.env =
            Env { timestamp: U256::from(TIMESTAMP), number: U256::ONE, ..interpreter.world.env.clone() };
        for library in libraries {
            interpreter.deploy_library(*library, U256::from(LIBRARIAN));
        }
        interpreter.install_libraries();
        Interp(interpreter)
    }

    fn answer(outcome: hornet_ir::interp::Outcome, deployed: bool) -> Answer {
        let end = match &outcome.status {
            Status::Success { .. } => End::Success,
            Status::Revert { .. } => End::Revert,
            Status::OutOfGas => End::Halt,
            Status::Unsupported { what, span } => End::Unsupported { what: what.clone(), span: *span },
        };
        let silent = deployed && end == End::Success;
        Answer {
            data: if silent { Vec::new() } else { outcome.data().to_vec() },
            end,
            logs: outcome
                .logs
                .iter()
                .map(|l| Log { address: l.address, topics: l.topics.clone(), data: l.data.clone() })
                .collect(),
            created: outcome.address,
            failed_checks: outcome.failed_checks,
            gas: None,
        }
    }
}

impl Machine for Interp<'_> {
    fn fund(&mut self, account: U256) {
        self.0.world.set_balance(account, U256::from(WEALTH));
    }

    fn deploy(&mut self, deployment: &Deployment<'_>, from: U256, value: U256) -> Result<Answer, String> {
        Ok(Self::answer(self.0.deploy(deployment.contract, deployment.args, value, from), true))
    }

    fn call(&mut self, to: U256, from: U256, value: U256, data: &[u8]) -> Answer {
        Self::answer(self.0.call(from, to, value, data), false)
    }

    fn storage(&self, account: U256) -> BTreeMap<U256, U256> {
        let words = self.0.world.account(account).into_iter().flat_map(|a| a.storage.iter());
        words.filter(|(_, value)| !value.is_zero()).map(|(slot, value)| (*slot, *value)).collect()
    }
}

/// solc's code on revm.
pub struct Evm<'p> {
    program: &'p Program,
    machine: Revm,
    output: Output,
    libraries: BTreeMap<(String, String), Address>,
    /// In the order in which they were deployed; the interpreter follows it to get the same addresses.
    pub library_order: Vec<ContractId>,
}

impl<'p> Evm<'p> {
    pub fn new(program: &'p Program, sources: &SourceMap, remappings: &[String]) -> Result<Evm<'p>, String> {
        let compilers = Compilers::find().map_err(|e| e.to_string())?;
        let input = Input {
            sources: sources.files().map(|(_, f)| (f.name.clone(), f.text.clone())).collect(),
            settings: Settings { remappings: remappings.to_vec(), ..Settings::default() },
            version: None,
        };
        let output = compilers.compile(&input).map_err(|e| e.to_string())?;
        if let Some(error) = output.errors().next() {
            return Err(format!("solc {} does not accept this: {}", output.version, error.text));
        }
        let environment =
            Environment { timestamp: U256::from(TIMESTAMP), gas_limit: GAS, ..Environment::default() };
        let machine = Revm::new(Fork::default(), environment);
        let mut evm = Evm { program, machine, output, libraries: BTreeMap::new(), library_order: Vec::new() };
        evm.deploy_libraries()?;
        Ok(evm)
    }

    pub fn compiler(&self) -> String {
        self.output.compiler()
    }

    /// A library may need others first, so go round until nothing is left.
    fn deploy_libraries(&mut self) -> Result<(), String> {
        let mut waiting: Vec<ContractId> = self
            .program
            .contracts
            .iter_ids()
            .filter(|(_, c)| c.kind == ContractKind::Library)
            .map(|(id, _)| id)
            .collect();
        loop {
            let before = waiting.len();
            for id in std::mem::take(&mut waiting) {
                match self.creation_code(id) {
                    Ok(code) if !code.is_empty() => {
                        let message = self.message(U256::from(LIBRARIAN), U256::ZERO, code);
                        let outcome = self.machine.deploy(message);
                        let address = outcome.created.ok_or("a library cannot be deployed")?;
                        let contract = &self.program.contracts[id];
                        self.libraries.insert((contract.file.clone(), contract.name.clone()), address);
                        self.library_order.push(id);
                    }
                    Ok(_) => {}
                    Err(_) => waiting.push(id),
                }
            }
            if waiting.is_empty() {
                return Ok(());
            }
            if waiting.len() == before {
                return Err("libraries need each other in a circle".to_owned());
            }
        }
    }

    fn creation_code(&self, id: ContractId) -> Result<Vec<u8>, String> {
        let contract = &self.program.contracts[id];
        let compiled = self
            .output
            .contract(&contract.file, &contract.name)
            .ok_or_else(|| format!("solc compiled no `{}`", contract.name))?;
        let find = |file: &str, name: &str| self.libraries.get(&(file.to_owned(), name.to_owned())).copied();
        compiled.code.link(find).map_err(|e| e.to_string())
    }

    fn message(&self, from: U256, value: U256, data: Vec<u8>) -> Message {
        Message { from: address(from), origin: None, value, data, gas: GAS }
    }

    fn answer(outcome: hornet_evm::machine::Outcome, deployed: bool) -> Answer {
        let end = match (outcome.success, &outcome.halt) {
            (true, _) => End::Success,
            (false, None) => End::Revert,
            (false, Some(_)) => End::Halt,
        };
        let silent = deployed && end == End::Success;
        let created = outcome.created.filter(|_| silent).map(word);
        let logs = outcome
            .logs
            .iter()
            .map(|l| Log {
                address: word(l.address),
                topics: l.topics.iter().map(|t: &B256| U256::from_be_bytes(t.0)).collect(),
                data: l.data.clone(),
            })
            .collect();
        let data = if silent { Vec::new() } else { outcome.output };
        Answer { end, data, logs, created, failed_checks: Vec::new(), gas: Some(outcome.gas_used) }
    }
}

fn address(word: U256) -> Address {
    Address::from_slice(&word.to_be_bytes::<32>()[12..])
}

fn word(address: Address) -> U256 {
    U256::from_be_slice(address.as_slice())
}

impl Machine for Evm<'_> {
    fn fund(&mut self, account: U256) {
        self.machine.set_balance(address(account), U256::from(WEALTH));
    }

    fn deploy(&mut self, deployment: &Deployment<'_>, from: U256, value: U256) -> Result<Answer, String> {
        let mut code = self.creation_code(deployment.contract)?;
        code.extend_from_slice(deployment.args);
        let message = self.message(from, value, code);
        Ok(Self::answer(self.machine.deploy(message), true))
    }

    fn call(&mut self, to: U256, from: U256, value: U256, data: &[u8]) -> Answer {
        let message = self.message(from, value, data.to_vec());
        Self::answer(self.machine.call(address(to), message), false)
    }

    fn storage(&self, account: U256) -> BTreeMap<U256, U256> {
        let slots = self.machine.storage_slots(address(account));
        slots.into_iter().filter(|(_, value)| !value.is_zero()).collect()
    }
}
