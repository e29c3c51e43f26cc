//! Watches a transaction: which places of the source are run, and where something panics. Those whom the contract calls
//! answer at random, and call back.

use super::chain::{OUTSIDERS, call};
use super::claims::Claim;
use crate::values::Values;
use hornet_evm::compiler::{Code, Places};
use hornet_evm::replay::puppet::{self, Deed, NOTHING_SAID};
use hornet_evm::replay::{KINDS_OF_INVALID, kinds_of_payload};
use hornet_evm::solc::Output;
use hornet_evm::{Address, U256, keccak256};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ObligationKind, Program};
use revm::Inspector;
use revm::bytecode::opcode;
use revm::context::ContextTr;
use revm::interpreter::interpreter::EthInterpreter;
use revm::interpreter::interpreter_types::{Jumps, ReturnData};
use revm::interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome, Interpreter};
use revm::primitives::Bytes;
use revm::state::Bytecode;
use std::collections::{BTreeMap, BTreeSet};

/// Compiled contracts, and which claim each instruction is about.
pub struct Codes<'a> {
    program: &'a Program,
    parts: Vec<Part>,
    by_name: BTreeMap<String, usize>,
    libraries: BTreeMap<Address, usize>,
}

struct Part {
    creation: Vec<u8>,
    /// Claims by offset of instruction: in the creation code, in the code as deployed.
    claims: [Vec<Vec<usize>>; 2],
    /// Functions of the source, likewise.
    functions: [Vec<Option<usize>>; 2],
}

impl<'a> Codes<'a> {
    /// Everything that solc made of one file.
    pub fn new(
        program: &'a Program,
        output: &Output,
        file: &str,
        claims: &[Claim],
        functions: &Functions,
    ) -> Result<Codes<'a>, String> {
        let at = |name: &str| Address::left_padding_from(&keccak256(name)[..12]);
        let link = |code: &Code| code.link(|_, name| Some(at(name))).map_err(|e| e.to_string());
        let mut codes =
            Codes { program, parts: Vec::new(), by_name: BTreeMap::new(), libraries: BTreeMap::new() };
        for ((_, name), contract) in
            output.contracts.iter().filter(|((of, _), c)| of == file && !c.code.is_empty())
        {
            let about = |places: &Places, code: &Code| {
                (0..code.bytes().len()).map(|offset| about(claims, places, offset)).collect()
            };
            let inside = |places: &Places, code: &Code| {
                let function =
                    |offset| places.at(offset).and_then(|place| functions.around(place.start, place.end));
                (0..code.bytes().len()).map(function).collect()
            };
            let part = Part {
                creation: link(&contract.code)?,
                claims: [
                    about(&contract.code_places, &contract.code),
                    about(&contract.deployed_places, &contract.deployed),
                ],
                functions: [
                    inside(&contract.code_places, &contract.code),
                    inside(&contract.deployed_places, &contract.deployed),
                ],
            };
            codes.by_name.insert(name.clone(), codes.parts.len());
            if contract.code.libraries().is_empty() {
                codes.libraries.insert(at(name), codes.parts.len());
            }
            codes.parts.push(part);
        }
        Ok(codes)
    }

    fn part_of(&self, contract: ContractId) -> Option<usize> {
        self.by_name.get(&self.program.contracts[contract].name).copied()
    }

    pub fn creation(&self, contract: ContractId) -> Option<&[u8]> {
        Some(&self.parts[self.part_of(contract)?].creation)
    }

    /// Whatever may be linked to, with its creation code.
    pub fn libraries(&self) -> impl Iterator<Item = (Address, &[u8])> {
        let is_library = |part: &usize| {
            self.program.contracts.iter().any(|contract| {
                contract.kind == hornet_ir::program::ContractKind::Library
                    && self.by_name.get(&contract.name) == Some(part)
            })
        };
        let all = self.libraries.iter().filter(move |(_, part)| is_library(part));
        all.map(|(at, part)| (*at, self.parts[*part].creation.as_slice()))
    }

    /// Whose creation code this is, with arguments behind it.
    fn created_by(&self, init: &[u8]) -> Option<usize> {
        let fitting = self.parts.iter().enumerate().filter(|(_, part)| init.starts_with(&part.creation));
        fitting.max_by_key(|(_, part)| part.creation.len()).map(|(i, _)| i)
    }
}

fn about(claims: &[Claim], places: &Places, offset: usize) -> Vec<usize> {
    let Some(place) = places.at(offset) else { return Vec::new() };
    let here = |claim: &Claim| claim.start == place.start && claim.end == place.end;
    claims.iter().enumerate().filter(|(_, claim)| here(claim)).map(|(i, _)| i).collect()
}

/// Where the functions of a file are.
pub struct Functions(Vec<(u32, u32)>);

impl Functions {
    pub fn of(program: &Program) -> Functions {
        let spans = program.procs.iter().filter_map(|proc| proc.function.as_ref().map(|f| f.span));
        Functions(spans.map(|span| (span.start, span.end)).collect::<BTreeSet<_>>().into_iter().collect())
    }

    /// The function that a place is in, unless it is all of it: the code around bodies is there, too.
    pub fn around(&self, start: u32, end: u32) -> Option<usize> {
        let holds = |(_, f): &(usize, &(u32, u32))| f.0 <= start && end <= f.1 && (start, end) != **f;
        let holding = self.0.iter().enumerate().filter(holds);
        holding.min_by_key(|(_, (start, end))| end - start).map(|(i, _)| i)
    }
}

/// Something about a claim, or about a function.
pub enum Seen {
    /// Code of a function was run.
    Entered(usize),
    /// Code that it is about was run.
    Reached(usize),
    /// One of these kinds of claims failed where this claim stands.
    Failed(usize, &'static [ObligationKind]),
}

struct Frame {
    /// The code, and whether it is deployed by now.
    part: Option<(usize, usize)>,
    /// Claims about the last instruction that comes from the sources.
    about: Vec<usize>,
}

pub struct Watch<'w, 'a> {
    codes: &'w Codes<'a>,
    contract: ContractId,
    this: Address,
    values: &'w mut Values<'a>,
    frames: Vec<Frame>,
    deployed: BTreeMap<Address, usize>,
    reached: BTreeSet<usize>,
    entered: BTreeSet<usize>,
    pub seen: Vec<Seen>,
}

/// Calls back inside calls back.
const DEEPEST: usize = 6;

impl<'w, 'a> Watch<'w, 'a> {
    pub fn new(
        codes: &'w Codes<'a>,
        contract: ContractId,
        this: Address,
        values: &'w mut Values<'a>,
    ) -> Watch<'w, 'a> {
        let mut deployed = codes.libraries.clone();
        deployed.extend(codes.part_of(contract).map(|part| (this, part)));
        let (frames, reached, entered) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        Watch { codes, contract, this, values, frames, deployed, reached, entered, seen: Vec::new() }
    }

    fn push(&mut self, part: Option<(usize, usize)>) {
        self.frames.push(Frame { part, about: Vec::new() });
    }

    fn failed(&mut self, kinds: &'static [ObligationKind]) {
        let Some(frame) = self.frames.last() else { return };
        self.seen.extend(frame.about.iter().map(|claim| Seen::Failed(*claim, kinds)));
    }

    fn instruction(&mut self, interpreter: &Interpreter<EthInterpreter>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some((part, deployed)) = frame.part else { return };
        let (part, at) = (&self.codes.parts[part], interpreter.bytecode.pc());
        if let Some(function) = part.functions[deployed].get(at).copied().flatten()
            && self.entered.insert(function)
        {
            self.seen.push(Seen::Entered(function));
        }
        if let Some(about) = part.claims[deployed].get(at).filter(|about| !about.is_empty()) {
            frame.about.clone_from(about);
            for claim in about {
                if self.reached.insert(*claim) {
                    self.seen.push(Seen::Reached(*claim));
                }
            }
        }
        match interpreter.bytecode.opcode() {
            opcode::REVERT => {
                let payload = revert_payload(interpreter).unwrap_or_default();
                if interpreter.return_data.buffer()[..] != payload[..] {
                    self.failed(kinds_of_payload(&payload));
                }
            }
            opcode::INVALID => self.failed(KINDS_OF_INVALID),
            _ => {}
        }
    }

    /// What somebody does who is called.
    fn behaviour(&mut self) -> Vec<u8> {
        let mut deeds = Vec::new();
        let eager = self.frames.len() < DEEPEST && self.values.chance(50);
        for _ in 0..if eager { self.values.rng.usize(1..3) } else { 0 } {
            let value = U256::from(if self.values.chance(30) { self.values.rng.u8(..) } else { 0 });
            if self.values.chance(5) {
                deeds.push(Deed::Gift { to: self.this, value });
            } else if let Some((_, data)) = call(self.codes.program, self.contract, self.values) {
                deeds.push(Deed::Call { to: self.this, value, data });
            }
        }
        let words = self.values.rng.usize(0..4);
        let random: Vec<u8> = (0..words).flat_map(|_| self.values.number().to_be_bytes::<32>()).collect();
        let answer = [random.as_slice(), &NOTHING_SAID[..256]].concat();
        puppet::program(&deeds, !self.values.chance(15), &answer)
    }
}

/// The memory that the two topmost words name.
fn revert_payload(interpreter: &Interpreter<EthInterpreter>) -> Option<Vec<u8>> {
    let [.., length, offset] = interpreter.stack.data().as_slice() else { return None };
    let (offset, length) = (usize::try_from(*offset).ok()?, usize::try_from(*length).ok()?);
    Some(interpreter.memory.context_memory().get(offset..offset.checked_add(length)?)?.to_vec())
}

impl<C: ContextTr> Inspector<C> for Watch<'_, '_> {
    fn step(&mut self, interpreter: &mut Interpreter<EthInterpreter>, _: &mut C) {
        self.instruction(interpreter);
    }

    fn call(&mut self, _: &mut C, inputs: &mut CallInputs) -> Option<CallOutcome> {
        let target = inputs.bytecode_address;
        if OUTSIDERS.contains(&target) {
            let code = self.behaviour();
            inputs.known_bytecode = (keccak256(&code), Bytecode::new_raw(Bytes::from(code)));
        }
        let part = self.deployed.get(&target).map(|part| (*part, 1));
        self.push(part);
        None
    }

    fn call_end(&mut self, _: &mut C, _: &CallInputs, _: &mut CallOutcome) {
        self.frames.pop();
    }

    fn create(&mut self, _: &mut C, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        let part = self.codes.created_by(inputs.init_code()).map(|part| (part, 0));
        self.push(part);
        None
    }

    fn create_end(&mut self, _: &mut C, _: &CreateInputs, outcome: &mut CreateOutcome) {
        let created = self.frames.pop().and_then(|frame| frame.part);
        if let (Some((part, _)), Some(address)) = (created, outcome.address) {
            self.deployed.insert(address, part);
        }
    }
}
