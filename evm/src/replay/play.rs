//! A trace made ready for the machine: addresses and bytes instead of words and deep values.

use std::collections::{BTreeMap, BTreeSet};

use hornet_ir::expr::{AbiMode, EnvVar};
use hornet_ir::ids::{ContractId, ProcId, TypeId};
use hornet_ir::interp::abi::encode::encode_trees;
use hornet_ir::interp::value::{Run, Tree};
use hornet_ir::program::{Program, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::trace::{Action, Outside, Step, Trace};

use super::spans::Spans;
use crate::compiler::Place;
use crate::{Address, U256};

/// What happens in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// With the encoded arguments.
    Deploy(Vec<u8>),
    /// With its data.
    Call(Vec<u8>),
    ForcedEther,
}

/// A step of the trace, or a call from inside one.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// Its place among the calls of its transaction, each before those from inside it; that is 0 itself.
    pub number: usize,
    /// What it is about, and where that is.
    pub contract: ContractId,
    pub at: Address,
    pub kind: Kind,
    pub caller: Address,
    pub origin: Address,
    pub value: U256,
    pub environment: Vec<(EnvVar, U256)>,
    pub answers: Vec<Answer>,
    /// How many calls the contract makes of itself before the one that is to run out of gas, if one is.
    pub starved: Option<usize>,
}

/// What somebody does when called.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// Where the source makes the call.
    pub place: Option<Place>,
    pub by: Address,
    /// It is no answer: the contract creates another one there.
    pub is_creation: bool,
    pub succeeds: bool,
    pub returns: Vec<u8>,
    pub scenes: Vec<Scene>,
    /// To slots of the contract that lets them work on its storage.
    pub writes: BTreeMap<U256, U256>,
}

pub(super) struct Play {
    pub this: Address,
    pub balances: Vec<(Address, U256)>,
    pub scenes: Vec<Scene>,
}

impl Play {
    pub fn new(program: &Program, spans: &Spans, trace: &Trace) -> Result<Play, String> {
        let maker = Maker {
            program,
            spans,
            trace,
            creations: statements(program, creates),
            calls: statements(program, calls),
        };
        let scenes = trace.steps.iter().map(|step| maker.scene(step, &mut 0)).collect::<Result<_, _>>()?;
        let balances = trace.balances.iter().map(|(who, amount)| Ok((address(*who)?, *amount)));
        Ok(Play { this: address(trace.this)?, balances: balances.collect::<Result<_, String>>()?, scenes })
    }

    /// Everybody who acts from inside a transaction, and so needs code.
    pub fn puppets(&self) -> BTreeSet<Address> {
        let (mut found, mut created) = (BTreeSet::new(), BTreeSet::new());
        let mut open: Vec<&Answer> = self.scenes.iter().flat_map(|s| &s.answers).collect();
        while let Some(answer) = open.pop() {
            if answer.is_creation { &mut created } else { &mut found }.insert(answer.by);
            found.extend(answer.scenes.iter().map(|s| s.caller));
            open.extend(answer.scenes.iter().flat_map(|s| &s.answers));
        }
        created.extend(self.scenes.iter().map(|scene| scene.at));
        found.retain(|a| *a != self.this && !created.contains(a) && !is_precompiled(*a));
        found
    }
}

struct Maker<'a> {
    program: &'a Program,
    spans: &'a Spans,
    trace: &'a Trace,
    /// Statements that create contracts.
    creations: BTreeSet<Span>,
    /// Statements that call others.
    calls: BTreeSet<Span>,
}

impl Maker<'_> {
    /// `next` is the first number that no scene of the transaction has.
    fn scene(&self, step: &Step, next: &mut usize) -> Result<Scene, String> {
        let number = *next;
        *next += 1;
        let (id, at) = self.trace.place(step);
        let contract = &self.program.contracts[id];
        let kind = match &step.action {
            Action::Deploy { args } => {
                // A library has no constructor.
                let args = contract.constructor.map(|constructor| self.encode(constructor, args));
                Kind::Deploy(args.transpose()?.unwrap_or_default())
            }
            Action::Call { entry, args } => {
                let entry =
                    contract.entries.get(*entry).ok_or("the trace calls a function that is not there")?;
                Kind::Call([entry.selector.to_vec(), self.encode(entry.proc, args)?].concat())
            }
            Action::Receive => Kind::Call(Vec::new()),
            Action::Fallback { data } => Kind::Call(data.clone()),
            Action::ForcedEther => Kind::ForcedEther,
        };
        let answers = step.outside.iter().map(|outside| self.answer(outside, next));
        Ok(Scene {
            number,
            answers: answers.collect::<Result<_, _>>()?,
            contract: id,
            at: address(at)?,
            kind,
            caller: address(step.caller)?,
            origin: address(step.origin)?,
            value: step.value,
            environment: step.environment.clone(),
            starved: step.starved.map(|starved| starved.number),
        })
    }

    fn answer(&self, outside: &Outside, next: &mut usize) -> Result<Answer, String> {
        let scenes = outside.reenters.iter().map(|step| self.scene(step, next));
        let scenes: Vec<Scene> = scenes.collect::<Result<_, _>>()?;
        if scenes.iter().any(|s| matches!(s.kind, Kind::Deploy(_))) {
            return Err("the trace deploys the contract from inside a call".to_owned());
        }
        let by = address(outside.target)?;
        let this = address(self.trace.this)?;
        if by != this && scenes.iter().any(|s| s.caller == this) {
            return Err("the trace lets others decide what the contract itself calls".to_owned());
        }
        Ok(Answer {
            place: outside.span.and_then(|span| self.spans.place(span)),
            by,
            is_creation: self.is_creation(outside),
            succeeds: outside.succeeds,
            returns: outside.returns.clone(),
            scenes,
            writes: outside.writes.clone(),
        })
    }

    /// Places are those of statements. Where one both creates and calls, creations are those that return nothing.
    fn is_creation(&self, outside: &Outside) -> bool {
        let Some(span) = outside.span else { return false };
        let silent = outside.returns.is_empty() && outside.reenters.is_empty();
        self.creations.contains(&span) && (silent || !self.calls.contains(&span))
    }

    fn encode(&self, proc: ProcId, args: &[Tree]) -> Result<Vec<u8>, String> {
        encode(self.program, proc, args)
            .map_err(|_| "the arguments do not have the types of the function".to_owned())
    }
}

fn encode(program: &Program, proc: ProcId, args: &[Tree]) -> Run<Vec<u8>> {
    let proc = &program.procs[proc];
    let types: Vec<TypeId> = proc
        .params
        .iter()
        .map(|p| program.types.referent(proc.locals[*p].ty).unwrap_or(proc.locals[*p].ty))
        .collect();
    encode_trees(&program.types, AbiMode::Standard, &types, args)
}

fn creates(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Create(_))
}

fn calls(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::ExternalCall(_))
}

fn statements(program: &Program, of_kind: fn(&StmtKind) -> bool) -> BTreeSet<Span> {
    let stmts = program.procs.iter().flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts);
    stmts.filter(|s| of_kind(&s.kind)).filter_map(|s| s.span).collect()
}

/// A word as an address, if it is one.
pub(super) fn address(word: U256) -> Result<Address, String> {
    let bytes = word.to_be_bytes::<32>();
    match bytes[..12].iter().all(|b| *b == 0) {
        true => Ok(Address::from_slice(&bytes[12..])),
        false => Err(format!("0x{word:x} is no address")),
    }
}

/// Addresses whose code is part of the machine.
pub(super) fn is_precompiled(address: Address) -> bool {
    let word = U256::from_be_slice(address.as_slice());
    !word.is_zero() && (word <= U256::from(0x11) || word == U256::from(0x100))
}
