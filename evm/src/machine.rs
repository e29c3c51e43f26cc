//! A small chain in memory on revm: deploy, call, look at balances, storage and logs.

use std::collections::BTreeMap;

use revm::context::result::{ExecutionResult, Output};
use revm::context::{BlockEnv, CfgEnv, Context, ContextTr, JournalTr, TxEnv};
use revm::context_interface::CreateScheme;
use revm::context_interface::block::BlobExcessGasAndPrice;
use revm::database::{CacheDB, EmptyDB};
use revm::handler::MainnetContext;
use revm::interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome};
use revm::primitives::hardfork::SpecId;
use revm::primitives::{Bytes, TxKind};
use revm::state::{AccountInfo, Bytecode};
use revm::{ExecuteCommitEvm, InspectCommitEvm, Inspector, MainBuilder, MainContext};

use crate::{Address, B256, U256, keccak256};

/// Rules of the chain, oldest first; the names are solc's `evmVersion`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Fork {
    Homestead,
    TangerineWhistle,
    SpuriousDragon,
    Byzantium,
    Constantinople,
    Petersburg,
    Istanbul,
    Berlin,
    London,
    Paris,
    Shanghai,
    #[default]
    Cancun,
    Prague,
    Osaka,
}

impl Fork {
    pub const ALL: [Fork; 14] = [
        Fork::Homestead,
        Fork::TangerineWhistle,
        Fork::SpuriousDragon,
        Fork::Byzantium,
        Fork::Constantinople,
        Fork::Petersburg,
        Fork::Istanbul,
        Fork::Berlin,
        Fork::London,
        Fork::Paris,
        Fork::Shanghai,
        Fork::Cancun,
        Fork::Prague,
        Fork::Osaka,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Fork::Homestead => "homestead",
            Fork::TangerineWhistle => "tangerineWhistle",
            Fork::SpuriousDragon => "spuriousDragon",
            Fork::Byzantium => "byzantium",
            Fork::Constantinople => "constantinople",
            Fork::Petersburg => "petersburg",
            Fork::Istanbul => "istanbul",
            Fork::Berlin => "berlin",
            Fork::London => "london",
            Fork::Paris => "paris",
            Fork::Shanghai => "shanghai",
            Fork::Cancun => "cancun",
            Fork::Prague => "prague",
            Fork::Osaka => "osaka",
        }
    }

    pub fn from_name(name: &str) -> Option<Fork> {
        Fork::ALL.into_iter().find(|fork| fork.name() == name)
    }

    pub(crate) fn spec(self) -> SpecId {
        match self {
            Fork::Homestead => SpecId::HOMESTEAD,
            Fork::TangerineWhistle => SpecId::TANGERINE,
            Fork::SpuriousDragon => SpecId::SPURIOUS_DRAGON,
            Fork::Byzantium => SpecId::BYZANTIUM,
            // The two went live together on the main chain.
            Fork::Constantinople | Fork::Petersburg => SpecId::PETERSBURG,
            Fork::Istanbul => SpecId::ISTANBUL,
            Fork::Berlin => SpecId::BERLIN,
            Fork::London => SpecId::LONDON,
            Fork::Paris => SpecId::MERGE,
            Fork::Shanghai => SpecId::SHANGHAI,
            Fork::Cancun => SpecId::CANCUN,
            Fork::Prague => SpecId::PRAGUE,
            Fork::Osaka => SpecId::OSAKA,
        }
    }
}

/// What `block`, `tx` and their relatives answer, apart from the sender and the value.
#[derive(Clone, Debug)]
pub struct Environment {
    pub number: U256,
    pub timestamp: U256,
    pub coinbase: Address,
    pub gas_limit: u64,
    pub base_fee: u64,
    /// `block.prevrandao`, and `block.difficulty` before the merge.
    pub prevrandao: U256,
    pub blob_base_fee: u128,
    pub blob_hashes: Vec<B256>,
    pub chain_id: u64,
    pub gas_price: u128,
}

impl Default for Environment {
    fn default() -> Self {
        Environment {
            number: U256::ONE,
            timestamp: U256::ONE,
            coinbase: Address::ZERO,
            gas_limit: 30_000_000,
            base_fee: 0,
            prevrandao: U256::ZERO,
            blob_base_fee: 1,
            blob_hashes: Vec::new(),
            chain_id: 1,
            gas_price: 0,
        }
    }
}

/// One transaction. No fee is taken from anybody; the value must be there.
#[derive(Clone, Debug)]
pub struct Message {
    pub from: Address,
    /// `tx.origin`, where it is not the sender: then the sender's nonce counts creations only.
    pub origin: Option<Address>,
    pub value: U256,
    pub data: Vec<u8>,
    pub gas: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    pub address: Address,
    pub topics: Vec<B256>,
    pub data: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    pub success: bool,
    /// Returned or reverted with; for a deployment that succeeds, the deployed code.
    pub output: Vec<u8>,
    pub logs: Vec<Log>,
    /// What is paid for: refunds are taken off, and it is no less than what the data costs at least.
    pub gas_used: u64,
    /// Before refunds.
    pub gas_spent: u64,
    /// Given back at the end, as far as the rules give it back.
    pub gas_refunded: u64,
    /// Why it stopped without a word: out of gas, invalid opcode, no funds, refused.
    pub halt: Option<String>,
    pub created: Option<Address>,
}

/// State of the chain; cloning it takes a snapshot.
#[derive(Clone, Debug)]
pub struct Machine {
    state: CacheDB<EmptyDB>,
    pub fork: Fork,
    pub environment: Environment,
}

impl Machine {
    pub fn new(fork: Fork, environment: Environment) -> Machine {
        Machine { state: CacheDB::new(EmptyDB::default()), fork, environment }
    }

    /// Runs creation code (with the encoded constructor arguments behind it).
    pub fn deploy(&mut self, message: Message) -> Outcome {
        self.run(TxKind::Create, message)
    }

    /// As [`Self::deploy`], with the new contract at a given address, and somebody watching.
    pub fn deploy_at<W: Watcher>(&mut self, address: Address, message: Message, watcher: W) -> Outcome {
        let start = Start { from: message.from, at: Some(address), entered: false };
        self.run_watched(TxKind::Create, message, (start, watcher))
    }

    /// As [`Self::deploy`], with somebody watching.
    pub fn deploy_watched<W: Watcher>(&mut self, message: Message, watcher: W) -> Outcome {
        let start = Start { from: message.from, at: None, entered: false };
        self.run_watched(TxKind::Create, message, (start, watcher))
    }

    pub fn call(&mut self, to: Address, message: Message) -> Outcome {
        self.run(TxKind::Call(to), message)
    }

    /// As [`Self::call`], with somebody watching.
    pub fn call_watched<W: Watcher>(&mut self, to: Address, message: Message, watcher: W) -> Outcome {
        let start = Start { from: message.from, at: None, entered: false };
        self.run_watched(TxKind::Call(to), message, (start, watcher))
    }

    fn run(&mut self, kind: TxKind, message: Message) -> Outcome {
        if message.origin.is_none_or(|origin| origin == message.from) {
            let (context, tx) = self.transaction(kind, message);
            return finish(context.build_mainnet().transact_commit(tx));
        }
        let start = Start { from: message.from, at: None, entered: false };
        self.run_watched(kind, message, start)
    }

    fn run_watched<W: Watcher>(&mut self, kind: TxKind, message: Message, watcher: W) -> Outcome {
        let (context, tx) = self.transaction(kind, message);
        finish(context.build_mainnet_with_inspector(watcher).inspect_tx_commit(tx))
    }

    fn transaction(&mut self, kind: TxKind, message: Message) -> (ChainContext<'_>, TxEnv) {
        let origin = message.origin.unwrap_or(message.from);
        let environment = &self.environment;
        let mut cfg = CfgEnv::new_with_spec(self.fork.spec());
        cfg.chain_id = environment.chain_id;
        cfg.disable_nonce_check = true;
        cfg.disable_block_gas_limit = true;
        cfg.disable_base_fee = true;
        cfg.disable_eip3607 = true;
        cfg.disable_fee_charge = true;
        cfg.tx_gas_limit_cap = Some(u64::MAX);
        // Contracts under test may be larger than the chain takes.
        cfg.limit_contract_code_size = Some(usize::MAX);
        cfg.limit_contract_initcode_size = Some(usize::MAX);
        let block = BlockEnv {
            number: environment.number,
            beneficiary: environment.coinbase,
            timestamp: environment.timestamp,
            gas_limit: environment.gas_limit,
            basefee: environment.base_fee,
            difficulty: environment.prevrandao,
            prevrandao: Some(B256::from(environment.prevrandao)),
            blob_excess_gas_and_price: Some(BlobExcessGasAndPrice {
                excess_blob_gas: 0,
                blob_gasprice: environment.blob_base_fee,
            }),
            ..BlockEnv::default()
        };
        let tx = TxEnv {
            caller: origin,
            gas_limit: message.gas,
            gas_price: environment.gas_price,
            kind,
            value: message.value,
            data: Bytes::from(message.data),
            chain_id: Some(environment.chain_id),
            blob_hashes: environment.blob_hashes.clone(),
            ..TxEnv::default()
        };
        let context = Context::mainnet().with_db(&mut self.state).with_cfg(cfg).with_block(block);
        (context, tx)
    }

    /// Accounts that were touched.
    pub fn addresses(&self) -> impl Iterator<Item = Address> {
        self.state.cache.accounts.keys().copied()
    }

    pub fn balance(&self, address: Address) -> U256 {
        self.account(address).map_or(U256::ZERO, |account| account.balance)
    }

    pub fn nonce(&self, address: Address) -> u64 {
        self.account(address).map_or(0, |account| account.nonce)
    }

    pub fn code(&self, address: Address) -> Vec<u8> {
        let Some(account) = self.account(address) else { return Vec::new() };
        let code = account.code.as_ref().or_else(|| self.state.cache.contracts.get(&account.code_hash));
        code.map_or_else(Vec::new, |code| code.original_bytes().to_vec())
    }

    pub fn storage(&self, address: Address, slot: U256) -> U256 {
        let account = self.state.cache.accounts.get(&address);
        account.and_then(|account| account.storage.get(&slot)).copied().unwrap_or(U256::ZERO)
    }

    /// Every slot that is not zero.
    pub fn storage_slots(&self, address: Address) -> BTreeMap<U256, U256> {
        let account = self.state.cache.accounts.get(&address);
        let slots = account.into_iter().flat_map(|account| account.storage.iter());
        slots.filter(|(_, value)| !value.is_zero()).map(|(slot, value)| (*slot, *value)).collect()
    }

    pub fn set_balance(&mut self, address: Address, balance: U256) {
        self.change(address, |account| account.balance = balance);
    }

    pub fn set_nonce(&mut self, address: Address, nonce: u64) {
        self.change(address, |account| account.nonce = nonce);
    }

    pub fn set_code(&mut self, address: Address, code: Vec<u8>) {
        self.change(address, |account| {
            account.code_hash = keccak256(&code);
            account.code = Some(Bytecode::new_raw(Bytes::from(code)));
        });
    }

    pub fn set_storage(&mut self, address: Address, slot: U256, value: U256) {
        let Ok(()) = self.state.insert_account_storage(address, slot, value);
    }

    /// What `blockhash(number)` answers while the block is recent.
    pub fn set_block_hash(&mut self, number: U256, hash: B256) {
        self.state.cache.block_hashes.insert(number, hash);
    }

    fn account(&self, address: Address) -> Option<&AccountInfo> {
        self.state.cache.accounts.get(&address).map(|account| &account.info)
    }

    fn change(&mut self, address: Address, change: impl FnOnce(&mut AccountInfo)) {
        let mut info = self.account(address).cloned().unwrap_or_default();
        change(&mut info);
        self.state.insert_account_info(address, info);
    }
}

fn finish<E: std::fmt::Debug>(result: Result<ExecutionResult, E>) -> Outcome {
    match result {
        Ok(result) => outcome(result),
        Err(refused) => Outcome { halt: Some(format!("{refused:?}")), ..Outcome::default() },
    }
}

fn outcome(result: ExecutionResult) -> Outcome {
    let gas = *result.gas();
    let logs = result.logs().iter().map(|log| Log {
        address: log.address,
        topics: log.data.topics().to_vec(),
        data: log.data.data.to_vec(),
    });
    let logs = logs.collect();
    let (success, output, halt, created) = match result {
        ExecutionResult::Success { output: Output::Call(data), .. } => (true, data.to_vec(), None, None),
        ExecutionResult::Success { output: Output::Create(data, created), .. } => {
            (true, data.to_vec(), None, created)
        }
        ExecutionResult::Revert { output, .. } => (false, output.to_vec(), None, None),
        ExecutionResult::Halt { reason, .. } => (false, Vec::new(), Some(format!("{reason:?}")), None),
    };
    Outcome {
        success,
        output,
        logs,
        gas_used: gas.tx_gas_used(),
        gas_spent: gas.total_gas_spent(),
        gas_refunded: gas.inner_refunded(),
        halt,
        created,
    }
}

/// What a transaction runs in.
pub type ChainContext<'a> = MainnetContext<&'a mut CacheDB<EmptyDB>>;

/// Somebody who watches a transaction, and may interfere.
pub trait Watcher: for<'a> Inspector<ChainContext<'a>> {}

impl<W: for<'a> Inspector<ChainContext<'a>>> Watcher for W {}

/// Makes the outermost frame come from somebody other than `tx.origin`, or create somewhere else.
struct Start {
    from: Address,
    at: Option<Address>,
    entered: bool,
}

impl Start {
    /// The sender of the outermost frame; later frames are left alone.
    fn enter<C: ContextTr>(&mut self, context: &mut C) -> Option<Address> {
        if std::mem::replace(&mut self.entered, true) {
            return None;
        }
        // revm takes the caller of a transfer to be loaded already, as `tx.origin` is.
        let _ = context.journal_mut().load_account(self.from);
        Some(self.from)
    }
}

impl<C: ContextTr> Inspector<C> for Start {
    fn call(&mut self, context: &mut C, inputs: &mut CallInputs) -> Option<CallOutcome> {
        if let Some(sender) = self.enter(context) {
            inputs.caller = sender;
        }
        None
    }

    fn create(&mut self, context: &mut C, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        if let Some(sender) = self.enter(context) {
            inputs.set_call(sender);
            if let Some(address) = self.at {
                inputs.set_scheme(CreateScheme::Custom { address });
            }
        }
        None
    }
}
