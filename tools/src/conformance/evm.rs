//! The reference backend: solc's bytecode on revm. That it reproduces the files shows that we read them right.

use std::collections::BTreeMap;
use std::sync::Arc;

use hornet_evm::machine::{Fork, Machine, Message, Outcome};
use hornet_evm::solc::{Compilers, Input, Output, Settings};
use hornet_evm::{Address, U256};
use serde_json::Value;

use super::backend::{Answer, Backend, Refusal, Session};
use super::chain::{ORIGIN, SENDER, account, block_hash, test_accounts, test_environment};
use super::file::TestFile;

pub struct EvmBackend {
    pub compilers: Arc<Compilers>,
    /// Ask for the newer of solc's two code generators where a file leaves it open.
    pub via_ir: bool,
}

const GAS: u64 = 100_000_000;

impl Backend for EvmBackend {
    fn with_session(&self, test: &TestFile, body: &mut dyn FnMut(&mut dyn Session)) -> Result<(), Refusal> {
        let fork = test.fork(Fork::Osaka).ok_or_else(|| Refusal::Skipped("no EVM version fits".into()))?;
        let output = self.compile(test, fork)?;
        let main = last_contract(&output, &test.main)
            .ok_or_else(|| Refusal::Skipped("no contract in the last source".into()))?;
        body(&mut EvmSession {
            machine: test_chain(fork),
            output,
            main: (test.main.clone(), main),
            libraries: BTreeMap::new(),
            sender: SENDER,
            address: Address::ZERO,
        });
        Ok(())
    }
}

impl EvmBackend {
    fn compile(&self, test: &TestFile, fork: Fork) -> Result<Output, Refusal> {
        let mut sources = test.sources.clone();
        if test.is_set("ABIEncoderV1Only") {
            for text in sources.values_mut().filter(|text| !text.contains("pragma abicoder")) {
                text.insert_str(0, "pragma abicoder v1; ");
            }
        }
        let via_ir = match test.setting("compileViaYul") {
            Some("true") => true,
            Some("false") => false,
            _ => self.via_ir,
        };
        let settings = Settings {
            evm_version: Some(fork.name().to_owned()),
            via_ir,
            revert_strings: test.setting("revertStrings").map(str::to_owned),
            ast: true,
            ..Settings::default()
        };
        let mut input = Input { sources, settings, version: None };
        let mut output = self.compilers.compile(&input).map_err(|e| Refusal::Skipped(e.to_string()))?;
        let too_deep = |m: &hornet_evm::solc::Message| m.formatted.to_lowercase().contains("stack too deep");
        if output.errors().any(too_deep) {
            input.settings.optimizer_runs = Some(200);
            output = self.compilers.compile(&input).map_err(|e| Refusal::Skipped(e.to_string()))?;
        }
        let error = output.errors().next().map(|error| format!("solc: {}", error.formatted.trim()));
        error.map_or(Ok(output), |error| Err(Refusal::Skipped(error)))
    }
}

/// The last contract of a file, in the order of its text.
pub fn last_contract(output: &Output, file: &str) -> Option<String> {
    let nodes = output.asts.get(file)?.get("nodes")?.as_array()?;
    let is_contract =
        |node: &&Value| node.get("nodeType").and_then(Value::as_str) == Some("ContractDefinition");
    nodes.iter().rev().find(is_contract)?.get("name")?.as_str().map(str::to_owned)
}

fn test_chain(fork: Fork) -> Machine {
    let mut machine = Machine::new(fork, test_environment(fork));
    for (address, balance) in test_accounts() {
        machine.set_balance(address, balance);
    }
    for i in 0..20 {
        // The recorder counts before it creates: the first contract has nonce 1.
        machine.set_nonce(account(i), 1);
    }
    machine.set_block_hash(U256::ZERO, block_hash(U256::ZERO));
    machine
}

struct EvmSession {
    machine: Machine,
    output: Output,
    main: (String, String),
    libraries: BTreeMap<(Option<String>, String), Address>,
    sender: Address,
    address: Address,
}

impl EvmSession {
    fn next_block(&mut self) {
        let environment = &mut self.machine.environment;
        environment.number += U256::from(1);
        environment.timestamp += U256::from(15);
        let number = environment.number;
        self.machine.set_block_hash(number, block_hash(number));
    }

    fn message(&self, data: Vec<u8>, value: U256) -> Message {
        Message { from: self.sender, origin: Some(ORIGIN), value, data, gas: GAS }
    }

    fn create(&mut self, file: &str, name: &str, arguments: &[u8], value: U256) -> Result<Outcome, Refusal> {
        let contract = self
            .output
            .contract(file, name)
            .ok_or_else(|| Refusal::Skipped(format!("no contract `{name}`")))?;
        let find = |file: &str, name: &str| {
            let exact = (Some(file.to_owned()), name.to_owned());
            self.libraries.get(&exact).or_else(|| self.libraries.get(&(None, name.to_owned()))).copied()
        };
        let mut code = contract.code.link(find).map_err(|e| Refusal::Skipped(e.to_string()))?;
        code.extend_from_slice(arguments);
        self.next_block();
        let message = self.message(code, value);
        Ok(self.machine.deploy(message))
    }
}

impl Session for EvmSession {
    fn set_sender(&mut self, sender: Address) {
        self.sender = sender;
    }

    fn deploy_library(&mut self, file: Option<&str>, name: &str) -> Result<Answer, Refusal> {
        let found = match file {
            Some(file) => file.to_owned(),
            None => {
                let known = self.output.contracts.keys().find(|(_, n)| n == name);
                known.map(|(file, _)| file.clone()).unwrap_or_default()
            }
        };
        let outcome = self.create(&found, name, &[], U256::ZERO)?;
        if let Some(address) = outcome.created {
            self.libraries.insert((file.map(str::to_owned), name.to_owned()), address);
        }
        Ok(answer(outcome))
    }

    fn deploy(&mut self, arguments: &[u8], value: U256) -> Result<Answer, Refusal> {
        let (file, name) = self.main.clone();
        let outcome = self.create(&file, &name, arguments, value)?;
        self.address = outcome.created.unwrap_or(Address::ZERO);
        Ok(answer(outcome))
    }

    fn call(&mut self, data: &[u8], value: U256) -> Result<Answer, Refusal> {
        self.next_block();
        let message = self.message(data.to_vec(), value);
        Ok(answer(self.machine.call(self.address, message)))
    }

    fn address(&self) -> Address {
        self.address
    }

    fn balance(&self, address: Address) -> U256 {
        self.machine.balance(address)
    }

    fn storage_empty(&self) -> bool {
        self.machine.storage_slots(self.address).is_empty()
    }
}

fn answer(outcome: Outcome) -> Answer {
    Answer { success: outcome.success, output: outcome.output, logs: outcome.logs }
}
