//! Hornet's own backend: front end, lowering, interpreter.

use std::collections::BTreeMap;
use std::sync::Arc;

use hornet_evm::machine::{Fork, Log};
use hornet_evm::solc::{Compilers, Input, Settings};
use hornet_evm::{Address, B256, U256};
use hornet_frontend::compile;
use hornet_frontend::lower::Options;
use hornet_ir::ids::ContractId;
use hornet_ir::interp::{Interpreter, Outcome, Status};
use hornet_ir::program::Program;

use super::backend::{Answer, Backend, Refusal, Session};
use super::chain::{ORIGIN, SENDER, block_hash, test_accounts, test_environment};
use super::file::TestFile;
use crate::frontend;

pub struct InterpBackend {
    /// For tests that look at code as bytes; without it those are unsupported.
    pub compilers: Option<Arc<Compilers>>,
}

/// The forks whose rules the interpreter has, in what these files can tell apart.
const OLDEST: Fork = Fork::Shanghai;

impl Backend for InterpBackend {
    fn with_session(&self, test: &TestFile, body: &mut dyn FnMut(&mut dyn Session)) -> Result<(), Refusal> {
        let fork = test.fork(Fork::Osaka).filter(|fork| *fork >= OLDEST);
        let Some(fork) = fork else {
            return Err(Refusal::Skipped("about the rules of an older fork".into()));
        };
        let via_ir = test.is_set("compileViaYul");
        let debug_reverts = test.setting("revertStrings").is_some_and(|s| s.contains("debug"));
        let compiled =
            compile(frontend::load(&test.sources), Options { via_ir, debug_reverts, ..Options::default() });
        let Some(program) = &compiled.program else {
            return Err(Refusal::Unsupported(format!("front end: {}", frontend::first_error(&compiled))));
        };
        let contracts = program.contracts.iter_ids();
        let main = contracts.filter(|(_, c)| c.file == test.main).map(|(id, _)| id).last();
        let main = main.ok_or_else(|| Refusal::Unsupported("no contract in the last source".into()))?;
        let mut interpreter = Interpreter::new(program);
        interpreter.via_ir = via_ir;
        self.supply_code(test, via_ir, &mut interpreter);
        prepare(&mut interpreter, fork);
        interpreter.debug_reverts = debug_reverts;
        body(&mut InterpSession {
            program,
            interpreter,
            main,
            created: BTreeMap::new(),
            sender: SENDER,
            address: Address::ZERO,
        });
        Ok(())
    }
}

impl InterpBackend {
    /// Code as bytes is not ours to invent: where a test looks at it, solc's is supplied.
    fn supply_code(&self, test: &TestFile, via_ir: bool, interpreter: &mut Interpreter<'_>) {
        const SIGNS: [&str; 6] = ["Code", ".code", "salt", "extcode", "codesize", "codecopy"];
        let looks = test.sources.values().any(|text| SIGNS.iter().any(|sign| text.contains(sign)));
        let (true, Some(compilers)) = (looks, &self.compilers) else { return };
        let settings = Settings { via_ir, ..Settings::default() };
        let input = Input { sources: test.sources.clone(), settings, version: None };
        let Ok(output) = compilers.compile(&input) else { return };
        let contracts: Vec<_> = interpreter
            .program()
            .contracts
            .iter_ids()
            .map(|(id, c)| (id, c.file.clone(), c.name.clone()))
            .collect();
        for (id, file, name) in contracts {
            let Some(contract) = output.contract(&file, &name) else { continue };
            let nowhere = |_: &str, _: &str| Some(Address::ZERO);
            if let (Ok(creation), Ok(runtime)) =
                (contract.code.link(nowhere), contract.deployed.link(nowhere))
            {
                interpreter.set_code(id, creation, runtime);
            }
        }
    }
}

fn prepare(interpreter: &mut Interpreter<'_>, fork: Fork) {
    let environment = test_environment(fork);
    let env = &mut interpreter.world.env;
    env.self_destruct_removes = fork < Fork::Cancun;
    env.origin = Some(word(ORIGIN));
    env.gas_price = U256::from(environment.gas_price);
    env.timestamp = environment.timestamp;
    env.number = environment.number;
    env.coinbase = word(environment.coinbase);
    env.prev_randao = environment.prevrandao;
    env.gas_limit = U256::from(environment.gas_limit);
    env.chain_id = U256::from(environment.chain_id);
    env.base_fee = U256::from(environment.base_fee);
    env.blob_base_fee = U256::from(environment.blob_base_fee);
    env.blob_hashes = environment.blob_hashes.iter().map(|hash| U256::from_be_bytes(hash.0)).collect();
    env.block_hash_base = U256::from_be_bytes(block_hash(U256::ZERO).0);
    for (address, balance) in test_accounts() {
        interpreter.world.set_balance(word(address), balance);
    }
}

fn word(address: Address) -> U256 {
    U256::from_be_slice(address.as_slice())
}

fn address(word: U256) -> Address {
    Address::from_slice(&word.to_be_bytes::<32>()[12..])
}

struct InterpSession<'p> {
    program: &'p Program,
    interpreter: Interpreter<'p>,
    main: ContractId,
    /// How many contracts each account has created.
    created: BTreeMap<Address, u64>,
    sender: Address,
    address: Address,
}

impl InterpSession<'_> {
    fn next_block(&mut self) {
        let env = &mut self.interpreter.world.env;
        env.number += U256::from(1);
        env.timestamp += U256::from(15);
        // On the recorder's chain only creations count, and the count begins at one.
        let nonce = 1 + self.created.get(&self.sender).copied().unwrap_or(0);
        self.interpreter.world.set_nonce(word(self.sender), nonce);
    }

    fn note_creation(&mut self, outcome: &Outcome) -> Address {
        if outcome.succeeded() {
            *self.created.entry(self.sender).or_default() += 1;
        }
        outcome.address.map(address).unwrap_or_default()
    }
}

impl Session for InterpSession<'_> {
    fn set_sender(&mut self, sender: Address) {
        self.sender = sender;
    }

    fn deploy_library(&mut self, file: Option<&str>, name: &str) -> Result<Answer, Refusal> {
        let mut contracts = self.program.contracts.iter_ids();
        let found = contracts.find(|(_, c)| c.name == name && file.is_none_or(|file| c.file == file));
        let (library, _) = found.ok_or_else(|| Refusal::Unsupported(format!("no library `{name}`")))?;
        self.next_block();
        let outcome = self.interpreter.deploy_library(library, word(self.sender));
        self.note_creation(&outcome);
        answer(outcome)
    }

    fn deploy(&mut self, arguments: &[u8], value: U256) -> Result<Answer, Refusal> {
        self.next_block();
        let outcome = self.interpreter.deploy(self.main, arguments, value, word(self.sender));
        self.address = self.note_creation(&outcome);
        answer(outcome)
    }

    fn call(&mut self, data: &[u8], value: U256) -> Result<Answer, Refusal> {
        self.next_block();
        let outcome = self.interpreter.call(word(self.sender), word(self.address), value, data);
        answer(outcome)
    }

    fn address(&self) -> Address {
        self.address
    }

    fn balance(&self, address: Address) -> U256 {
        self.interpreter.world.balance(word(address))
    }

    fn storage_empty(&self) -> bool {
        let account = self.interpreter.world.account(word(self.address));
        account.is_none_or(|account| account.storage.values().all(U256::is_zero))
    }
}

fn answer(outcome: Outcome) -> Result<Answer, Refusal> {
    let success = outcome.succeeded();
    let output = outcome.data().to_vec();
    let logs = outcome.logs.into_iter().map(|log| Log {
        address: address(log.address),
        topics: log.topics.into_iter().map(B256::from).collect(),
        data: log.data,
    });
    // Logs of a transaction that failed are nobody's.
    let logs = if success { logs.collect() } else { Vec::new() };
    match outcome.status {
        Status::Unsupported { what, .. } => Err(Refusal::Unsupported(what)),
        Status::Success { .. } | Status::Revert { .. } | Status::OutOfGas => {
            Ok(Answer { success, output, logs })
        }
    }
}
