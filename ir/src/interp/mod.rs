//! Runs the IR on concrete values, byte for byte as the EVM code that solc generates: storage is flat with solc's
//! layout, memory is flat with solc's allocator, calldata is bytes, and raw operations of inline assembly act on the same.
//!
//! What is not exact: gas (each statement costs a little, storage, calls and memory about what they cost, so that
//! stipends are too small for what they are too small for and endless loops end), and code as bytes (see [`code`]).
//! `Havoc` gives zero; a false `Assume` ends the transaction as unsupported.

pub mod abi;
pub mod arith;
mod bn254;
mod call;
pub mod calldata;
pub mod code;
pub mod crypto;
mod eval;
mod exec;
pub mod frame;
pub mod memory;
mod quantifier;
mod raw;
pub mod spec;
pub mod storage;
mod store;
#[cfg(test)]
mod tests;
pub mod value;
pub mod watch;
pub mod world;

use crate::ids::{ContractId, ObligationId};
use crate::program::{CallKind, ContractKind, Entry, Program};
use crate::span::Span;
use call::{Begun, Caller, Message, Returned};
use code::ContractBytes;
use frame::Frame;
use ruint::aliases::U256;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use value::{Run, Trap};
use world::{Address, Code, Log, World};

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For one transaction. At a handful per statement this is some ten million statements.
    pub gas: u64,
    /// Calls inside calls, as in the EVM.
    pub call_depth: usize,
    /// Procedures inside procedures within one call. Each takes at least one of the EVM's 1024 stack slots.
    pub recursion: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { gas: 200_000_000, call_depth: 1024, recursion: 1024 }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    Success {
        output: Vec<u8>,
    },
    Revert {
        payload: Vec<u8>,
    },
    /// Out of gas, or another exceptional halt: a failure without data.
    OutOfGas,
    /// The run got to something that is not modelled; it says nothing about the program.
    Unsupported {
        what: String,
        span: Option<Span>,
    },
}

/// How a transaction ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub status: Status,
    /// Of a deployment that succeeded.
    pub address: Option<Address>,
    pub logs: Vec<Log>,
    /// All contracts created, in order.
    pub created: Vec<Address>,
    /// Checks that did not hold, also in calls that were reverted.
    pub failed_checks: Vec<ObligationId>,
    /// Not the EVM's figure; see the limits.
    pub gas_used: u64,
}

impl Outcome {
    pub fn succeeded(&self) -> bool {
        matches!(self.status, Status::Success { .. })
    }

    /// Return data or revert payload.
    pub fn data(&self) -> &[u8] {
        match &self.status {
            Status::Success { output } => output,
            Status::Revert { payload } => payload,
            Status::OutOfGas | Status::Unsupported { .. } => &[],
        }
    }
}

/// A program with a world to run it in.
pub struct Interpreter<'p> {
    program: &'p Program,
    pub world: World,
    pub limits: Limits,
    /// Reverts on malformed data say what is wrong with it, as with solc's `revertStrings: debug`.
    pub debug_reverts: bool,
    /// Lets programs read the stand-ins for code bytes nobody supplied, instead of stopping as unsupported.
    pub stand_in_code: bool,
    /// Behave as the code of solc's newer code generator where the two differ.
    pub via_ir: bool,
    /// Remember the keys that mappings are accessed with, which [`spec`] needs.
    pub record_keys: bool,
    keys: spec::KnownKeys,
    codes: FxHashMap<ContractId, ContractBytes>,
    selectors: FxHashMap<(ContractId, [u8; 4]), usize>,
    /// How deep each expression is nested; deep ones are not evaluated by native recursion.
    depths: Vec<u32>,
    // Of the running transaction.
    frames: Vec<Frame>,
    failed_checks: Vec<ObligationId>,
    origin: Address,
    /// How the innermost call that ended last failed, to tell out of gas from a revert without data.
    last_trap: Option<Trap>,
    watcher: Option<Box<dyn watch::Watcher + 'p>>,
}

impl<'p> Interpreter<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut selectors = FxHashMap::default();
        for (id, contract) in program.contracts.iter_ids() {
            for (i, entry) in contract.entries.iter().enumerate() {
                selectors.entry((id, entry.selector)).or_insert(i);
            }
        }
        Interpreter {
            program,
            world: World::new(),
            limits: Limits::default(),
            debug_reverts: false,
            stand_in_code: false,
            via_ir: false,
            record_keys: false,
            keys: spec::KnownKeys::default(),
            codes: FxHashMap::default(),
            selectors,
            depths: eval::depths(program),
            frames: Vec::new(),
            failed_checks: Vec::new(),
            origin: U256::ZERO,
            last_trap: None,
            watcher: None,
        }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    fn entry_of(&self, contract: ContractId, selector: [u8; 4]) -> Option<&'p Entry> {
        let index = *self.selectors.get(&(contract, selector))?;
        self.program.contracts[contract].entries.get(index)
    }

    /// Deploys a contract in a transaction of its own. `args` are the constructor's encoded arguments.
    /// Calls to a library go to where it was deployed last.
    pub fn deploy(&mut self, contract: ContractId, args: &[u8], value: U256, from: Address) -> Outcome {
        let address = code::create_address(from, self.world.nonce(from));
        let outcome = self.deploy_at(address, contract, args, value, from);
        let is_library = self.program.contracts[contract].kind == ContractKind::Library;
        if let (Some(address), true) = (outcome.address, is_library) {
            self.world.libraries.insert(contract, address);
        }
        outcome
    }

    /// As [`Self::deploy`], at an address of choice.
    pub fn deploy_at(
        &mut self,
        address: Address,
        contract: ContractId,
        args: &[u8],
        value: U256,
        from: Address,
    ) -> Outcome {
        self.begin(from);
        let gas = self.limits.gas;
        let begun = self.construct(Some(contract), args, value, from, address, gas);
        self.complete(begun)
    }

    pub fn deploy_library(&mut self, library: ContractId, from: Address) -> Outcome {
        self.deploy(library, &[], U256::ZERO, from)
    }

    /// Puts every library that is not deployed yet at an address derived from its name, without a transaction.
    pub fn install_libraries(&mut self) {
        for (id, contract) in self.program.contracts.iter_ids() {
            if contract.kind == ContractKind::Library && !self.world.libraries.contains_key(&id) {
                let name = format!("library {}:{}", contract.file, contract.name);
                let address = crate::hash::keccak_word(name.as_bytes()) & arith::low_mask(160);
                self.world.set_code(address, Code::Contract { contract: id, immutables: Rc::default() });
                self.world.libraries.insert(id, address);
            }
        }
    }

    /// A transaction from an account to a contract.
    pub fn call(&mut self, from: Address, to: Address, value: U256, data: &[u8]) -> Outcome {
        self.begin(from);
        let gas = self.limits.gas;
        let message = Message { kind: CallKind::Call, target: to, value, data: data.into(), gas: None };
        let sender = Caller { this: from, caller: from, value: U256::ZERO, is_static: false };
        let begun = self.start_call(sender, message, gas);
        self.complete(begun)
    }

    /// Starts a transaction.
    fn begin(&mut self, from: Address) {
        self.world.begin_transaction();
        self.frames.clear();
        self.failed_checks.clear();
        self.last_trap = None;
        self.origin = self.world.env.origin.unwrap_or(from);
        let nonce = self.world.nonce(from);
        self.world.set_nonce(from, nonce + 1);
    }

    /// Runs what was begun to its end.
    fn complete(&mut self, begun: Run<Begun>) -> Outcome {
        let run = match begun {
            Ok(Begun::Over(returned)) => Ok(returned),
            Ok(Begun::Running) => self.run(),
            Err(trap) => Err((trap, None)),
        };
        let (status, address, gas_left) = match run {
            Ok(returned) => self.status_of(returned),
            Err((Trap::Unsupported(what), span)) => (Status::Unsupported { what, span }, None, 0),
            Err((trap, _)) => {
                let revert = Returned { ok: false, data: trap.payload().into(), gas: 0, created: None };
                self.status_of(revert)
            }
        };
        if let (Status::Unsupported { .. }, Some(bottom)) = (&status, self.frames.first()) {
            self.world.restore(bottom.snapshot);
        }
        self.frames.clear();
        let (logs, created) = (self.world.logs().to_vec(), self.world.created().to_vec());
        self.world.end_transaction();
        Outcome {
            status,
            address,
            logs,
            created,
            failed_checks: std::mem::take(&mut self.failed_checks),
            gas_used: self.limits.gas.saturating_sub(gas_left),
        }
    }

    fn status_of(&self, returned: Returned) -> (Status, Option<Address>, u64) {
        let data = returned.data.to_vec();
        let status = match (returned.ok, &self.last_trap) {
            (true, _) => Status::Success { output: data },
            (false, Some(Trap::OutOfGas)) => Status::OutOfGas,
            (false, _) => Status::Revert { payload: data },
        };
        (status, returned.created, returned.gas)
    }
}
