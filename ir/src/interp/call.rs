//! Calls between accounts: entering code, moving ether, creating contracts, and what comes back.

use super::Interpreter;
use super::abi;
use super::code;
use super::crypto;
use super::frame::{Entered, Frame};
use super::memory::Memory;
use super::value::{CalldataPtr, Run, Trap, Value};
use super::watch::Event;
use super::world::{Address, Code, Immutables, Snapshot};
use crate::expr::AbiMode;
use crate::hash::keccak_word;
use crate::ids::{ContractId, ProcId, TypeId};
use crate::program::{CallKind, ContractKind, StateKind};
use crate::types::Type;
use ruint::aliases::U256;
use std::cell::Cell;
use std::rc::Rc;

/// What a callee gets with a transfer of ether, free of charge.
pub const STIPEND: u64 = 2300;

/// A call about to be made.
pub struct Message {
    pub kind: CallKind,
    pub target: Address,
    /// Ether to send; zero for static and delegate calls.
    pub value: U256,
    pub data: Rc<[u8]>,
    /// What the caller is ready to give; `None` is everything.
    pub gas: Option<u64>,
}

/// What a callee learns from the call that makes it.
#[derive(Clone, Copy)]
pub(super) struct Caller {
    pub this: Address,
    pub caller: Address,
    pub value: U256,
    pub is_static: bool,
}

/// How a call ended, as its caller sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returned {
    pub ok: bool,
    pub data: Rc<[u8]>,
    /// Gas that comes back.
    pub gas: u64,
    /// The new contract, if the call was a creation that succeeded.
    pub created: Option<Address>,
}

impl Returned {
    fn failed(gas: u64) -> Returned {
        Returned { ok: false, data: Rc::from([]), gas, created: None }
    }

    fn succeeded(data: Rc<[u8]>, gas: u64) -> Returned {
        Returned { ok: true, data, gas, created: None }
    }
}

/// A call either starts to run or is over at once.
pub enum Begun {
    Running,
    Over(Returned),
}

/// What distinguishes a new frame.
pub(super) struct Opening {
    pub contract: ContractId,
    pub code_address: Address,
    pub caller: Caller,
    pub calldata: Rc<[u8]>,
    pub init_args: Rc<[u8]>,
    pub gas: u64,
    pub immutables: Rc<Immutables>,
    pub snapshot: Snapshot,
    pub entered: Entered,
}

pub(super) fn open(o: Opening) -> Frame {
    Frame {
        contract: o.contract,
        this: o.caller.this,
        code_address: o.code_address,
        caller: o.caller.caller,
        value: o.caller.value,
        calldata: o.calldata,
        init_args: o.init_args,
        returndata: Rc::from([]),
        output: (U256::ZERO, U256::ZERO),
        memory: Memory::new(),
        is_static: o.caller.is_static,
        gas: o.gas,
        spent: Cell::new(0),
        paid_words: 3,
        snapshot: o.snapshot,
        entered: o.entered,
        immutables: o.immutables,
        activations: Vec::new(),
    }
}

impl Interpreter<'_> {
    /// Starts a call from the running frame.
    pub(super) fn begin_call(&mut self, message: Message) -> Run<Begun> {
        let frame = self.frame()?;
        let me =
            Caller { this: frame.this, caller: frame.caller, value: frame.value, is_static: frame.is_static };
        let sends = !message.value.is_zero();
        if sends && message.kind == CallKind::Call {
            frame.forbid_static()?;
        }
        let precompiled = code::precompile_cost(message.target, 0).is_some();
        let warm = precompiled || message.target == me.this || message.target == me.caller;
        self.charge(if warm { 100 } else { 2600 } + if sends { 9000 - STIPEND } else { 0 })?;
        let gas = self.split_gas(message.gas, sends)?;
        if self.frames.len() >= self.limits.call_depth {
            return Ok(Begun::Over(Returned::failed(gas)));
        }
        self.start_call(me, message, gas)
    }

    /// The gas a callee gets, taken from the caller: at most all but one 64th, plus the stipend.
    fn split_gas(&mut self, wanted: Option<u64>, sends: bool) -> Run<u64> {
        let available = self.frame()?.gas;
        let most = available - available / 64;
        let given = wanted.unwrap_or(most).min(most);
        self.charge(given)?;
        Ok(given + if sends { STIPEND } else { 0 })
    }

    /// Moves the ether and enters the code.
    pub(super) fn start_call(&mut self, me: Caller, message: Message, gas: u64) -> Run<Begun> {
        let (this, caller, value) = match message.kind {
            CallKind::Call | CallKind::Static => (message.target, me.this, message.value),
            CallKind::Delegate => (me.this, me.caller, me.value),
            CallKind::Code => (me.this, me.this, message.value),
        };
        let snapshot = self.world.snapshot();
        if !self.world.transfer(me.this, this, message.value) {
            return Ok(Begun::Over(Returned::failed(gas)));
        }
        let Some(code) = self.world.code(message.target).cloned() else {
            let returned = call_without_code(message.target, &message.data, gas)?;
            if !returned.ok {
                self.world.restore(snapshot);
            }
            return Ok(Begun::Over(returned));
        };
        let Code::Contract { contract, immutables } = code else {
            return Err(Trap::Unsupported("a call to raw code".into()));
        };
        let is_static = me.is_static || message.kind == CallKind::Static;
        let mut frame = open(Opening {
            contract,
            code_address: message.target,
            caller: Caller { this, caller, value, is_static },
            calldata: message.data,
            init_args: Rc::from([]),
            gas,
            immutables,
            snapshot,
            entered: Entered::Plain,
        });
        let dispatched = self.dispatch(&mut frame);
        self.enter(frame, dispatched)
    }

    /// Makes a prepared frame the running one. A trap while it was prepared is the callee's.
    fn enter(&mut self, frame: Frame, prepared: Run<()>) -> Run<Begun> {
        let runs = prepared.is_ok() && !frame.activations.is_empty();
        self.frames.push(frame);
        if runs {
            self.tell(Event::Entered);
        }
        match prepared {
            Ok(()) => Ok(Begun::Running),
            Err(trap @ Trap::Unsupported(_)) => Err(trap),
            Err(trap) => Ok(Begun::Over(self.fail(trap)?)),
        }
    }

    /// Chooses what to run for the calldata of a new frame, and decodes the arguments.
    fn dispatch(&self, frame: &mut Frame) -> Run<()> {
        let program = self.program;
        let contract = &program.contracts[frame.contract];
        let found = frame.calldata.first_chunk::<4>().and_then(|s| self.entry_of(frame.contract, *s));
        if let Some(entry) = found {
            let library = contract.kind == ContractKind::Library;
            frame.entered = Entered::Function { library, strict: entry.strict_abi };
            let tys = self.param_types(entry.proc);
            let (data, memory) = (&frame.calldata, &mut frame.memory);
            let args = abi::decode::decode(&program.types, entry.strict_abi, data, 4, &tys, memory)?;
            return frame.push(program, entry.proc, args);
        }
        if let (Some(receive), true) = (contract.receive, frame.calldata.is_empty()) {
            return frame.push(program, receive, Vec::new());
        }
        match contract.fallback {
            Some(fallback) if fallback.with_data => {
                frame.entered = Entered::FallbackWithData;
                let length = U256::from(frame.calldata.len());
                let data = Value::Calldata(CalldataPtr { offset: U256::ZERO, length });
                frame.push(program, fallback.proc, vec![data])
            }
            Some(fallback) => frame.push(program, fallback.proc, Vec::new()),
            None if frame.calldata.is_empty() && contract.receive.is_none() => {
                Err(Trap::Malformed("Contract does not have fallback nor receive functions"))
            }
            None => Err(Trap::Malformed("Unknown signature and no fallback defined")),
        }
    }

    fn param_types(&self, proc: ProcId) -> Vec<TypeId> {
        let proc = &self.program.procs[proc];
        proc.params.iter().map(|p| proc.locals[*p].ty).collect()
    }

    /// Starts the creation of a contract (or of an account without code) by the running frame.
    pub(super) fn begin_create(
        &mut self,
        contract: Option<ContractId>,
        args: &[u8],
        value: U256,
        salt: Option<U256>,
    ) -> Run<Begun> {
        self.frame()?.forbid_static()?;
        let creator = self.frame()?.this;
        self.charge(32_000)?;
        let gas = self.split_gas(None, false)?;
        if self.frames.len() >= self.limits.call_depth || self.world.balance(creator) < value {
            return Ok(Begun::Over(Returned::failed(gas)));
        }
        // The nonce stays used even if the creation fails.
        let nonce = self.world.nonce(creator);
        self.world.set_nonce(creator, nonce + 1);
        let address = match salt {
            None => code::create_address(creator, nonce),
            Some(salt) => {
                let mut init = contract.map_or_else(Vec::new, |c| self.creation_code(c).to_vec());
                init.extend_from_slice(args);
                code::create2_address(creator, salt, keccak_word(&init))
            }
        };
        self.construct(contract, args, value, creator, address, gas)
    }

    /// Runs a constructor at a new address.
    pub(super) fn construct(
        &mut self,
        contract: Option<ContractId>,
        args: &[u8],
        value: U256,
        creator: Address,
        address: Address,
        gas: u64,
    ) -> Run<Begun> {
        if self.world.nonce(address) != 0 || self.world.code(address).is_some() {
            return Ok(Begun::Over(Returned::failed(0)));
        }
        let snapshot = self.world.snapshot();
        if !self.world.transfer(creator, address, value) {
            return Ok(Begun::Over(Returned::failed(gas)));
        }
        self.world.set_nonce(address, 1);
        self.world.note_created(address);
        let Some(contract) = contract else {
            let data = Rc::from([]);
            return Ok(Begun::Over(Returned { ok: true, data, gas, created: Some(address) }));
        };
        let mut frame = open(Opening {
            contract,
            code_address: address,
            caller: Caller { this: address, caller: creator, value, is_static: false },
            calldata: Rc::from([]),
            init_args: args.into(),
            gas,
            immutables: Rc::default(),
            snapshot,
            entered: Entered::Constructor,
        });
        let prepared = self.prepare_constructor(&mut frame);
        let runs = !frame.activations.is_empty();
        match self.enter(frame, prepared)? {
            // A library has nothing to construct.
            Begun::Running if !runs => Ok(Begun::Over(self.deployed()?)),
            begun => Ok(begun),
        }
    }

    /// Decodes the constructor's arguments, which solc's code first copies to memory behind the room for immutables.
    fn prepare_constructor(&self, frame: &mut Frame) -> Run<()> {
        let program = self.program;
        let contract = &program.contracts[frame.contract];
        let Some(constructor) = contract.constructor else {
            if contract.kind == ContractKind::Library {
                return if frame.value.is_zero() { Ok(()) } else { Err(Trap::empty()) };
            }
            return Err(Trap::Unsupported(format!("`{}` cannot be deployed", contract.name)));
        };
        let immutables = contract.state.iter().filter(|v| program.state[**v].kind == StateKind::Immutable);
        frame.memory.alloc(U256::from(32 * immutables.count()))?;
        let tys = self.param_types(constructor);
        let mut values = Vec::new();
        if !tys.is_empty() {
            let at = frame.memory.alloc(U256::from(frame.init_args.len()))?;
            frame.memory.store_bytes(at, &frame.init_args)?;
            values = abi::decode::decode(&program.types, true, &frame.init_args, 0, &tys, &mut frame.memory)?;
        }
        frame.push(program, constructor, values)
    }

    /// Ends the running call: the procedure it entered returned these values.
    pub(super) fn finish(&mut self, values: &[Value]) -> Run<Returned> {
        let frame = self.frame()?;
        let output = match frame.entered {
            Entered::Plain => Vec::new(),
            Entered::FallbackWithData => match values.first() {
                Some(Value::Word(ptr)) => frame.memory.read_bytes(*ptr)?.to_vec(),
                Some(other) => other.as_bytes()?.to_vec(),
                None => Vec::new(),
            },
            Entered::Constructor => return self.deployed(),
            Entered::Function { library, .. } => self.encode_results(values, library)?,
        };
        self.succeed(output, None)
    }

    /// Results are encoded by their contents; only libraries return storage references, as slot numbers.
    fn encode_results(&self, values: &[Value], library: bool) -> Run<Vec<u8>> {
        let types = &self.program.types;
        let rets = &self.program.procs[self.frame()?.top()?.proc].rets;
        let abi_types = rets.iter().map(|ty| match types.get(*ty) {
            Type::StorageRef(_) if library => *ty,
            _ => types.referent(*ty).unwrap_or(*ty),
        });
        let abi_types: Vec<TypeId> = abi_types.collect();
        let values: Vec<(TypeId, Value)> = rets.iter().copied().zip(values.iter().cloned()).collect();
        let encode = |sources: &abi::Sources<'_>| {
            abi::encode::encode(sources, AbiMode::Standard, None, &abi_types, &values)
        };
        self.eval()?.with_sources(encode)
    }

    /// Ends the running call at once with raw output. In a constructor the output is the code to deploy.
    pub(super) fn halt(&mut self, output: Vec<u8>) -> Run<Returned> {
        let frame = self.frame()?;
        if frame.entered != Entered::Constructor || output.is_empty() {
            return self.succeed(output, None);
        }
        let code = match self.recognise_runtime(&output) {
            Some(contract) => Code::Contract { contract, immutables: frame.immutables.clone() },
            None => Code::Raw(output.into()),
        };
        self.succeed(Vec::new(), Some(code))
    }

    /// The constructor has run to its end.
    fn deployed(&mut self) -> Run<Returned> {
        let frame = self.frame()?;
        let code = Code::Contract { contract: frame.contract, immutables: frame.immutables.clone() };
        self.succeed(Vec::new(), Some(code))
    }

    /// Ends the running call successfully; a creation leaves the code at its address.
    pub(super) fn succeed(&mut self, output: Vec<u8>, code: Option<Code>) -> Run<Returned> {
        let Some(frame) = self.frames.pop() else { return Err(Trap::OutOfGas) };
        if frame.entered != Entered::Constructor {
            return Ok(Returned::succeeded(output.into(), frame.gas));
        }
        if let Some(code) = code {
            self.world.set_code(frame.this, code);
        }
        Ok(Returned { ok: true, data: Rc::from([]), gas: frame.gas, created: Some(frame.this) })
    }

    /// Ends the running call as a failure and undoes what it did.
    pub(super) fn fail(&mut self, trap: Trap) -> Run<Returned> {
        let trap = trap.explained(self.debug_reverts);
        let Some(frame) = self.frames.pop() else { return Err(trap) };
        self.world.restore(frame.snapshot);
        let gas = if trap == Trap::OutOfGas { 0 } else { frame.gas };
        let data = trap.payload().into();
        self.last_trap = Some(trap);
        Ok(Returned { ok: false, data, gas, created: None })
    }
}

/// Precompiled contracts, and accounts that have no code: those accept anything.
fn call_without_code(target: Address, data: &[u8], gas: u64) -> Run<Returned> {
    let Some(cost) = code::precompile_cost(target, data.len()) else {
        return Ok(Returned::succeeded(Rc::from([]), gas));
    };
    let Some(rest) = gas.checked_sub(cost) else { return Ok(Returned::failed(0)) };
    match crypto::precompile(target, data) {
        None => Ok(Returned::succeeded(Rc::from([]), gas)),
        Some(Ok(output)) => Ok(Returned::succeeded(output.into(), rest)),
        Some(Err(trap @ Trap::Unsupported(_))) => Err(trap),
        Some(Err(_)) => Ok(Returned::failed(0)),
    }
}
