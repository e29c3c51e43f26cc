//! Watches a transaction: gives puppets their lines, and notes where in the sources something goes wrong.

use std::collections::{BTreeMap, BTreeSet};

use revm::Inspector;
use revm::bytecode::opcode;
use revm::context::{ContextTr, JournalTr};
use revm::context_interface::CreateScheme;
use revm::interpreter::interpreter::EthInterpreter;
use revm::interpreter::interpreter_types::{Jumps, ReturnData};
use revm::interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome, Interpreter};
use revm::primitives::{Bytes, keccak256};
use revm::state::Bytecode;

use super::play::{Answer, Scene, is_precompiled};
use super::script::{ActId, Role, Script};
use super::silent::Silent;
use super::stage::{CodeId, Stage};
use crate::compiler::Place;
use crate::{Address, U256};

/// Something that goes wrong in compiled code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mishap {
    Revert(Vec<u8>),
    /// The invalid instruction.
    Invalid,
    /// More ether is sent than there is.
    ShortOfEther,
    /// The arithmetic that is watched leaves its type.
    Wrapped,
}

#[derive(Clone, Debug)]
pub(super) struct Event {
    pub mishap: Mishap,
    pub place: Option<Place>,
    /// The payload may be that of a call that failed before, handed on.
    pub passed_on: bool,
    /// Which call of the transaction it is part of.
    pub scene: Option<usize>,
    /// What the transaction has written by then.
    pub written: Written,
}

/// To slots of the contract, in this order.
pub(super) type Written = Vec<(U256, U256)>;

/// What a transaction has written when a call from inside it begins, and when it ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Inside {
    pub begin: Written,
    pub end: Written,
}

/// What stays from one transaction to the next.
#[derive(Clone)]
pub(super) struct Cast<'r> {
    pub stage: &'r Stage,
    pub this: Address,
    pub main: CodeId,
    pub puppets: &'r BTreeSet<Address>,
    pub silent: Option<&'r Silent>,
    /// What is deployed where.
    pub deployed: BTreeMap<Address, CodeId>,
    /// Contracts that are created stand where the machine puts them, not where the trace says.
    pub true_addresses: bool,
    /// Where the machine would have put what was created with a salt, and where it was put.
    pub salted: BTreeMap<Address, Address>,
    /// What was hashed, for the keys of mappings in it.
    pub hashed: BTreeSet<Vec<u8>>,
}

pub(super) struct Recorder<'r, 'c> {
    cast: &'c mut Cast<'r>,
    /// Whose code the transaction runs.
    subject: CodeId,
    script: Script<'c>,
    frames: Vec<Frame<'c>>,
    pub events: Vec<Event>,
    /// Calls from inside, by their numbers.
    pub inside: BTreeMap<usize, Inside>,
    /// So far, without what was undone.
    written: Written,
    /// Addresses without code that the contract expects to have some.
    pub strangers: BTreeSet<Address>,
}

struct Frame<'c> {
    role: Role<'c>,
    /// The last instruction that comes from the sources.
    offset: Option<usize>,
    /// Something else was done since the watched operation.
    fresh: bool,
    /// The number of the call from inside that it is.
    opens: Option<usize>,
    /// How much was written before.
    written: usize,
}

/// Bytes that name a function.
const SELECTOR: usize = 4;

/// Longer data is no key with its slot.
const LONGEST_KEY: usize = 4096;

impl<'r, 'c> Recorder<'r, 'c> {
    pub fn new(cast: &'c mut Cast<'r>, scene: &'c Scene, subject: CodeId) -> Recorder<'r, 'c> {
        let script = Script::new(cast.this, scene);
        Recorder {
            cast,
            subject,
            script,
            frames: Vec::new(),
            events: Vec::new(),
            inside: BTreeMap::new(),
            written: Vec::new(),
            strangers: BTreeSet::new(),
        }
    }

    /// How many calls got an answer that the trace does not give.
    pub fn unlisted(&self) -> usize {
        self.script.unlisted
    }

    fn place(&self) -> Option<Place> {
        let frame = self.frames.last()?;
        let Role::Code { code, creation, .. } = frame.role else { return None };
        self.cast.stage.code(code).place(creation, frame.offset?).cloned()
    }

    fn note(&mut self, mishap: Mishap, passed_on: bool) {
        let place = self.place();
        let scene = match self.frames.last().map(|f| f.role) {
            Some(Role::Code { act, .. }) => Some(self.script.scene(act).number),
            _ => None,
        };
        self.events.push(Event { mishap, place, passed_on, scene, written: self.written.clone() });
    }

    fn push(&mut self, role: Role<'c>) {
        let opens = match role {
            Role::Code { act, .. } => Some(self.script.scene(act).number),
            _ => None,
        };
        let opens = opens.filter(|number| *number > 0 && !self.inside.contains_key(number));
        if let Some(number) = opens {
            let begin = self.written.clone();
            self.inside.insert(number, Inside { begin, end: Vec::new() });
        }
        self.frames.push(Frame { role, offset: None, fresh: true, opens, written: self.written.len() });
    }

    /// What a call wrote that fails is undone.
    fn pop(&mut self, succeeded: bool) -> Option<Role<'c>> {
        let frame = self.frames.pop()?;
        if !succeeded {
            self.written.truncate(frame.written);
        }
        if let Some(inside) = frame.opens.and_then(|number| self.inside.get_mut(&number)) {
            inside.end = self.written.clone();
        }
        Some(frame.role)
    }

    // ---- calls ----

    /// Who runs in the frame that a call opens, and their code if it is not what is deployed there.
    fn callee(&mut self, target: Address) -> (Role<'c>, Option<Vec<u8>>) {
        let this = self.cast.this;
        let own = |act: ActId, main| Role::Code { code: main, creation: false, act };
        match self.frames.last().map(|f| f.role) {
            None => (own(self.script.outermost(), self.subject), None),
            Some(Role::Code { act, .. }) => self.called_by_code(target, act),
            Some(Role::Puppet { by, scenes: [scene, rest @ ..] }) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.role = Role::Puppet { by, scenes: rest };
                }
                if scene.caller == by && target == this {
                    (own(self.script.begin(scene), self.cast.main), None)
                } else {
                    (Role::Relay { scene }, Some(self.script.relay(scene)))
                }
            }
            Some(Role::Relay { scene }) if target == this => {
                (own(self.script.begin(scene), self.cast.main), None)
            }
            Some(Role::Puppet { .. } | Role::Relay { .. } | Role::Other) => (Role::Other, None),
        }
    }

    fn called_by_code(&mut self, target: Address, act: ActId) -> (Role<'c>, Option<Vec<u8>>) {
        let place = self.place();
        if self.cast.puppets.contains(&target) && !self.cast.deployed.contains_key(&target) {
            let answer = self.script.answer(act, target, place.as_ref());
            let code = self.script.puppet(answer);
            return (puppet(target, answer), Some(code));
        }
        let Some(code) = self.cast.deployed.get(&target).copied() else { return (Role::Other, None) };
        // What the trace says of code that is there is at most how others answer that code.
        let answer = self.script.answer(act, target, place.as_ref());
        let inner = answer.and_then(|answer| answer.scenes.first());
        let act = inner.map_or(act, |scene| self.script.begin(scene));
        (Role::Code { code, creation: false, act }, None)
    }

    /// The outermost creation is that of the transaction itself.
    fn creates(&mut self, inputs: &mut CreateInputs) -> Role<'c> {
        match self.frames.last().map(|f| f.role) {
            None => Role::Code { code: self.subject, creation: true, act: self.script.outermost() },
            Some(Role::Code { act, .. }) => {
                let place = self.place();
                let creation = self.script.creation(act, place.as_ref());
                let moves = !self.cast.true_addresses;
                if let Some(said) = creation.filter(|said| moves && !said.by.is_zero()) {
                    let address = self.moved(inputs, said.by);
                    inputs.set_scheme(CreateScheme::Custom { address });
                }
                let code = self.cast.stage.created_by(inputs.init_code());
                code.map_or(Role::Other, |code| Role::Code { code, creation: true, act })
            }
            Some(Role::Puppet { by, scenes: [_, rest @ ..] }) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.role = Role::Puppet { by, scenes: rest };
                }
                Role::Other
            }
            Some(Role::Puppet { .. } | Role::Relay { .. } | Role::Other) => Role::Other,
        }
    }

    /// Where something is created: what would collide on the chain does so here.
    fn moved(&mut self, inputs: &CreateInputs, to: Address) -> Address {
        let CreateScheme::Create2 { salt } = inputs.scheme() else { return to };
        let usual = inputs.caller().create2(salt.to_be_bytes::<32>(), keccak256(inputs.init_code()));
        *self.cast.salted.entry(usual).or_insert(to)
    }

    /// Puppets always have what they send; for others a lack of ether is worth noting.
    fn pay<C: ContextTr>(&mut self, context: &mut C, from: Address, value: U256) {
        let Some(role) = self.frames.last().map(|f| f.role) else { return };
        let Ok(account) = context.journal_mut().load_account(from) else { return };
        let Some(missing) = value.checked_sub(account.data.info.balance).filter(|m| !m.is_zero()) else {
            return;
        };
        match role {
            Role::Code { .. } => self.note(Mishap::ShortOfEther, false),
            Role::Puppet { .. } | Role::Relay { .. } => {
                let _ = context.journal_mut().balance_incr(from, missing);
            }
            Role::Other => {}
        }
    }

    /// Calls of functions may begin with a look at whether there is any code.
    fn looked_for<C: ContextTr>(&mut self, who: Option<&U256>, context: &mut C) {
        let Some(who) = who.map(|word| Address::from_slice(&word.to_be_bytes::<32>()[12..])) else { return };
        let Ok(account) = context.journal_mut().load_account_with_code(who) else { return };
        if account.data.info.code.as_ref().is_none_or(|code| code.is_empty()) {
            self.missed(who);
        }
    }

    /// Compiled code wants to call a function where there is no code.
    fn missed(&mut self, who: Address) {
        let in_code = matches!(self.frames.last().map(|f| f.role), Some(Role::Code { .. }));
        if in_code && who != self.cast.this && !is_precompiled(who) {
            self.strangers.insert(who);
        }
    }

    // ---- instructions ----

    fn instruction(&mut self, interpreter: &Interpreter<EthInterpreter>) {
        let (offset, instruction) = (interpreter.bytecode.pc(), interpreter.bytecode.opcode());
        if let (opcode::SSTORE, [.., value, slot]) = (instruction, interpreter.stack.data().as_slice())
            && interpreter.input.target_address == self.cast.this
        {
            self.written.push((*slot, *value));
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let Role::Code { code, creation, .. } = frame.role else { return };
        let place = self.cast.stage.code(code).place(creation, offset);
        if place.is_some() {
            frame.offset = Some(offset);
        }
        if let (Some(silent), Some(place)) = (self.cast.silent, place) {
            let stack = interpreter.stack.data();
            let operands = stack.len().checked_sub(2).map(|n| (stack[n + 1], stack[n]));
            if *place != silent.place {
                frame.fresh = true;
            } else if let (true, Some((a, b))) = (frame.fresh, operands)
                && let Some(breaks) = silent.breaks(instruction, a, b)
            {
                // What follows at the same place only puts the result where it belongs.
                frame.fresh = false;
                if breaks {
                    self.note(Mishap::Wrapped, false);
                }
            }
        }
        match instruction {
            opcode::REVERT => {
                let payload = memory(interpreter, usize::MAX).unwrap_or_default();
                let passed_on = !payload.is_empty() && interpreter.return_data.buffer()[..] == payload[..];
                self.note(Mishap::Revert(payload), passed_on);
            }
            opcode::INVALID => self.note(Mishap::Invalid, false),
            opcode::KECCAK256 => {
                self.cast.hashed.extend(memory(interpreter, LONGEST_KEY));
            }
            _ => {}
        }
    }
}

fn puppet(by: Address, answer: Option<&Answer>) -> Role<'_> {
    Role::Puppet { by, scenes: answer.map_or(&[], |answer| answer.scenes.as_slice()) }
}

/// The memory that the two topmost words name (offset, length), if it is not longer than that.
fn memory(interpreter: &Interpreter<EthInterpreter>, longest: usize) -> Option<Vec<u8>> {
    let [.., length, offset] = interpreter.stack.data().as_slice() else { return None };
    let length = usize::try_from(*length).ok().filter(|n| *n <= longest)?;
    if length == 0 {
        return Some(Vec::new());
    }
    let offset = usize::try_from(*offset).ok()?;
    let all = interpreter.memory.context_memory();
    Some(all.get(offset..offset.checked_add(length)?)?.to_vec())
}

impl<C: ContextTr> Inspector<C> for Recorder<'_, '_> {
    fn step(&mut self, interpreter: &mut Interpreter<EthInterpreter>, context: &mut C) {
        self.instruction(interpreter);
        if interpreter.bytecode.opcode() == opcode::EXTCODESIZE {
            self.looked_for(interpreter.stack.data().last(), context);
        }
    }

    fn call(&mut self, context: &mut C, inputs: &mut CallInputs) -> Option<CallOutcome> {
        if let Some(value) = inputs.transfer_value() {
            self.pay(context, inputs.caller, value);
        }
        if inputs.known_bytecode.1.is_empty() && inputs.input.len() >= SELECTOR {
            self.missed(inputs.bytecode_address);
        }
        let (role, code) = self.callee(inputs.bytecode_address);
        if let Some(code) = code {
            inputs.known_bytecode = (keccak256(&code), Bytecode::new_raw(Bytes::from(code)));
        }
        self.push(role);
        None
    }

    fn call_end(&mut self, _: &mut C, _: &CallInputs, outcome: &mut CallOutcome) {
        self.pop(outcome.result.is_ok());
    }

    fn create(&mut self, context: &mut C, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        self.pay(context, inputs.caller(), inputs.value());
        let role = self.creates(inputs);
        self.push(role);
        None
    }

    fn create_end(&mut self, _: &mut C, _: &CreateInputs, outcome: &mut CreateOutcome) {
        let created = self.pop(outcome.result.is_ok());
        if let (Some(Role::Code { code, .. }), Some(address)) = (created, outcome.address)
            && outcome.result.is_ok()
        {
            self.cast.deployed.insert(address, code);
        }
    }
}
