//! A run that breaks something, told in Solidity's notation. People get it as lines, programs as JSON.

use super::asked::{asked, prevrandao};
use super::inside::Inside;
use super::storage::{Binding, Keys, bindings, changed};
use crate::run::value::{Names, abi_type, hex, show, show_bytes, show_number};
use hornet_evm::replay::Executed;
use hornet_ir::U256;
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::{ProcId, TypeId};
use hornet_ir::interp::value::Tree;
use hornet_ir::number::{Range, amount};
use hornet_ir::program::Program;
use hornet_ir::span::{SourceMap, Span};
use hornet_ir::trace::{Action, Outside, Step, Trace};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers and times of blocks have 64 bits.
fn of_block(value: U256) -> String {
    amount(value, Range { signed: false, bits: 64 })
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Told {
    pub steps: Vec<ToldStep>,
    /// Assertions that would stop the run, in the copy of the source that was run.
    pub switched_off: Vec<Span>,
    /// A Foundry test, if wanted, or why there is none.
    pub test: Option<Result<String, String>>,
    /// Who made the code that was run, as in `solc 0.8.37`.
    pub compiler: Option<String>,
}

/// A transaction, or a call from inside one. Addresses are written in full.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToldStep {
    /// Another contract that the step is about, and where that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// `deploy`, `call`, `receive`, `fallback` or `forced-ether`.
    pub action: Cow<'static, str>,
    /// As in a call: `transfer(0x…, 5)`.
    pub call: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Binding>,
    pub caller: String,
    /// The caller is a contract: it gets control in this run.
    #[serde(default, skip_serializing_if = "is_false")]
    pub caller_is_contract: bool,
    /// `tx.origin` where it is another and the code asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Wei.
    pub value: String,
    /// How much gas the transaction comes with, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gas: Option<u64>,
    /// A call of the contract to itself that runs out of gas.
    #[serde(skip)]
    pub starved_at: Option<Span>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<Binding>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<ToldOutside>,
    /// What a transaction changed, as far as it went and was not undone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<Binding>,
    /// Where there are calls from inside: what is different from the moment before when the next of them begins. For the
    /// last of them, when it ends, or when the check fails in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meanwhile: Vec<Binding>,
    /// What is different after all calls from inside: when the transaction ends, or when the check fails in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub afterwards: Vec<Binding>,
}

/// What somebody else does with control.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToldOutside {
    #[serde(skip)]
    pub span: Option<Span>,
    pub target: String,
    /// Wei.
    pub value: String,
    pub succeeds: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub returns: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reenters: Vec<ToldStep>,
    /// To the contract's own storage, where its code is called to work on that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Binding>,
}

/// A run as it is kept for later: programs that read the steps have no use for spans, whoever shows it again has.
#[derive(Clone, Serialize, Deserialize)]
struct Kept {
    steps: Vec<ToldStep>,
    /// In the order of the steps, each before what is inside it.
    spans: Vec<Option<Span>>,
    switched_off: Vec<Span>,
    compiler: Option<String>,
}

impl From<Told> for Kept {
    fn from(mut told: Told) -> Kept {
        let mut spans = Vec::new();
        told.each_span(&mut |span| spans.push(*span));
        Kept { steps: told.steps, spans, switched_off: told.switched_off, compiler: told.compiler }
    }
}

impl From<Kept> for Told {
    fn from(kept: Kept) -> Told {
        let Kept { steps, spans, switched_off, compiler } = kept;
        let mut told = Told { steps, switched_off, test: None, compiler };
        let mut spans = spans.into_iter();
        told.each_span(&mut |span| *span = spans.next().flatten());
        told
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl ToldStep {
    /// Whether others call back from inside it.
    pub fn is_reentered(&self) -> bool {
        self.outside.iter().any(|outside| !outside.reenters.is_empty())
    }

    /// What to show beside the call itself: the state after it, or that in which others call back.
    pub fn state_beside(&self, outermost: bool) -> &[Binding] {
        if outermost && !self.is_reentered() { &self.state } else { &self.meanwhile }
    }

    /// This one, then those from inside it, each with its number.
    pub fn each_call(&mut self, next: &mut usize, act: &mut dyn FnMut(usize, &mut ToldStep)) {
        act(*next, self);
        *next += 1;
        for inner in self.outside.iter_mut().flat_map(|outside| &mut outside.reenters) {
            inner.each_call(next, act);
        }
    }
}

impl Told {
    pub fn new(program: &Program, sources: &SourceMap, trace: &Trace, executed: Option<&Executed>) -> Told {
        let teller = Teller {
            program,
            trace,
            names: Names::in_full(),
            contracts: contracts(trace),
            asked: asked(program, trace),
            prevrandao: prevrandao(program, sources, trace.contract),
            keys: Keys::of(trace),
        };
        let mut steps: Vec<ToldStep> = trace.steps.iter().map(|step| teller.step(step, true)).collect();
        if let Some(executed) = executed {
            let mut before = teller.storage(&BTreeMap::new());
            for (step, result) in steps.iter_mut().zip(&executed.steps) {
                step.gas = result.gas;
                // Immutable variables are not in storage, and neither is anything where no slots are known.
                let Some(storage) = &result.storage else { break };
                let after = teller.storage(storage);
                step.state = changed(&before, &after);
                Inside::new(&teller, result).tell(step, before, &after);
                before = after;
            }
        }
        Told {
            steps,
            switched_off: executed.map(|e| e.neutralised.clone()).unwrap_or_default(),
            test: None,
            compiler: executed.map(|e| e.compiler.clone()),
        }
    }

    fn each_span(&mut self, act: &mut dyn FnMut(&mut Option<Span>)) {
        fn of_step(step: &mut ToldStep, act: &mut dyn FnMut(&mut Option<Span>)) {
            act(&mut step.starved_at);
            for outside in &mut step.outside {
                act(&mut outside.span);
                outside.reenters.iter_mut().for_each(|inner| of_step(inner, act));
            }
        }
        self.steps.iter_mut().for_each(|step| of_step(step, act));
    }

    /// Where the contract's calls of itself run out of gas.
    pub fn starved_at(&self) -> Vec<Span> {
        self.steps.iter().filter_map(|step| step.starved_at).collect()
    }

    /// Where others get control and call back.
    pub fn reentered_at(&self) -> Vec<Span> {
        self.outside_at(|outside| !outside.reenters.is_empty())
    }

    /// Where others get control over the contract's storage, and write to it.
    pub fn written_at(&self) -> Vec<Span> {
        self.outside_at(|outside| !outside.writes.is_empty())
    }

    fn outside_at(&self, wanted: fn(&ToldOutside) -> bool) -> Vec<Span> {
        let mut found = Vec::new();
        let mut work: Vec<&ToldStep> = self.steps.iter().rev().collect();
        while let Some(step) = work.pop() {
            for outside in &step.outside {
                found.extend(outside.span.filter(|span| wanted(outside) && !found.contains(span)));
                work.extend(&outside.reenters);
            }
        }
        found
    }
}

/// Addresses that get control and do something with it.
fn contracts(trace: &Trace) -> Vec<U256> {
    let mut found = Vec::new();
    let mut work: Vec<&Step> = trace.steps.iter().collect();
    while let Some(step) = work.pop() {
        for outside in &step.outside {
            let silent =
                outside.reenters.is_empty() && outside.returns.is_empty() && outside.writes.is_empty();
            if !silent || !outside.succeeds {
                found.push(outside.target);
            }
            found.extend(outside.reenters.iter().map(|inner| inner.caller));
            work.extend(&outside.reenters);
        }
    }
    found
}

pub struct Teller<'a> {
    program: &'a Program,
    trace: &'a Trace,
    names: Names,
    contracts: Vec<U256>,
    /// What the code asks for.
    asked: BTreeSet<EnvVar>,
    prevrandao: &'static str,
    keys: Keys,
}

impl Teller<'_> {
    fn step(&self, step: &Step, outermost: bool) -> ToldStep {
        let (action, function, arguments) = self.action(step);
        let values: Vec<&str> = arguments.iter().map(|a| a.value.as_str()).collect();
        let call = match &function {
            Some(name) => format!("{name}({})", values.join(", ")),
            None => "ether without a call".to_owned(),
        };
        let (contract, address) =
            step.whose.map(|(id, at)| (self.program.contracts[id].name.clone(), self.names.show(at))).unzip();
        let call = match (&contract, &address, action) {
            (Some(_), Some(address), "deploy") => format!("{call} at {address}"),
            (Some(contract), Some(address), _) => format!("{contract}({address}).{call}"),
            _ => call,
        };
        let other_origin = outermost && self.asked.contains(&EnvVar::Origin) && step.origin != step.caller;
        ToldStep {
            contract,
            address,
            action: action.into(),
            call,
            function,
            arguments,
            caller: self.names.show(step.caller),
            caller_is_contract: other_origin || self.contracts.contains(&step.caller),
            origin: other_origin.then(|| self.names.show(step.origin)),
            value: show_number(step.value),
            gas: None,
            starved_at: step.starved.map(|starved| starved.span),
            environment: step
                .environment
                .iter()
                .filter_map(|(var, value)| self.environment(*var, *value))
                .collect(),
            outside: step.outside.iter().map(|outside| self.outside(outside)).collect(),
            state: Vec::new(),
            meanwhile: Vec::new(),
            afterwards: Vec::new(),
        }
    }

    fn action(&self, step: &Step) -> (&'static str, Option<String>, Vec<Binding>) {
        let contract = &self.program.contracts[self.trace.place(step).0];
        match &step.action {
            Action::Deploy { args } => {
                let args = contract.constructor.map(|proc| self.arguments(proc, args)).unwrap_or_default();
                ("deploy", Some(contract.name.clone()), args)
            }
            Action::Call { entry, args } => match contract.entries.get(*entry) {
                Some(entry) => ("call", Some(entry.name.clone()), self.arguments(entry.proc, args)),
                None => ("call", Some(format!("entry {entry}")), Vec::new()),
            },
            Action::Receive => ("receive", Some("receive".to_owned()), Vec::new()),
            Action::Fallback { data } => {
                let data = Binding { name: "data".to_owned(), value: show_bytes(data) };
                ("fallback", Some("fallback".to_owned()), vec![data])
            }
            Action::ForcedEther => ("forced-ether", None, Vec::new()),
        }
    }

    fn arguments(&self, proc: ProcId, args: &[Tree]) -> Vec<Binding> {
        let proc = &self.program.procs[proc];
        let types = proc.params.iter().map(|p| (&proc.locals[*p].name, proc.locals[*p].ty));
        let value =
            |ty: TypeId, tree: &Tree| show(self.program, abi_type(self.program, ty), tree, &self.names);
        types
            .zip(args)
            .map(|((name, ty), tree)| Binding { name: name.clone(), value: value(ty, tree) })
            .collect()
    }

    fn outside(&self, outside: &Outside) -> ToldOutside {
        let returns = &outside.returns;
        ToldOutside {
            span: outside.span,
            target: self.names.show(outside.target),
            value: show_number(outside.value),
            succeeds: outside.succeeds,
            returns: if returns.is_empty() { String::new() } else { format!("0x{}", hex(returns)) },
            reenters: outside.reenters.iter().map(|step| self.step(step, false)).collect(),
            writes: self.written(&outside.writes),
        }
    }

    /// What slots of the contract say.
    pub fn storage(&self, slots: &BTreeMap<U256, U256>) -> Vec<Binding> {
        bindings(self.program, self.trace.contract, slots, &self.keys, &self.names)
    }

    /// What is written, zeros too: that which other contents of the slots would change.
    fn written(&self, slots: &BTreeMap<U256, U256>) -> Vec<Binding> {
        if slots.is_empty() {
            return Vec::new();
        }
        let others = [U256::ZERO, U256::ONE]
            .map(|other| self.storage(&slots.keys().map(|slot| (*slot, other)).collect()));
        let mut after = self.storage(slots);
        after.retain(|binding| others.iter().any(|other| !other.contains(binding)));
        after
    }

    /// `None` for what is told elsewhere, and for what nobody reads.
    fn environment(&self, var: EnvVar, value: U256) -> Option<Binding> {
        if !self.asked.contains(&var) {
            return None;
        }
        let (name, value) = match var {
            EnvVar::Timestamp => ("block.timestamp", of_block(value)),
            EnvVar::Number => ("block.number", of_block(value)),
            EnvVar::Coinbase => ("block.coinbase", self.names.show(value)),
            EnvVar::PrevRandao => (self.prevrandao, show_number(value)),
            EnvVar::GasLimit => ("block.gaslimit", of_block(value)),
            EnvVar::ChainId => ("block.chainid", show_number(value)),
            EnvVar::BaseFee => ("block.basefee", show_number(value)),
            EnvVar::BlobBaseFee => ("block.blobbasefee", show_number(value)),
            EnvVar::GasPrice => ("tx.gasprice", show_number(value)),
            EnvVar::GasLeft => ("gasleft()", show_number(value)),
            EnvVar::This
            | EnvVar::Caller
            | EnvVar::Origin
            | EnvVar::CallValue
            | EnvVar::CallData
            | EnvVar::ReturnData => return None,
        };
        Some(Binding { name: name.to_owned(), value })
    }
}
