//! What one contract costs: its deployment, and each of its functions.

use super::args::Measure;
use super::growth::{Growth, Stretch};
use super::overhead::Overhead;
use super::runs::Runs;
use super::search::{Search, Turn};
use super::task::{Target, Task};
use crate::run::parameter_types;
use crate::run::value::{Names, decode};
use hornet_evm::compiler::Place;
use hornet_evm::machine::Message;
use hornet_evm::measure::{self, Build, Measurement, State};
use hornet_evm::{Address, U256, solc};
use hornet_gas::ceiling::{Ceiling, Entry, Formula, Function, Reason, StateVariable, Subject};
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::{Contract, Program};
use hornet_ir::span::{SourceMap, Span};
use std::sync::Arc;

pub struct ContractGas {
    pub contract: ContractId,
    pub build: Arc<Build>,
    pub deployment: Deployment,
    /// As they stand in the source: proved, and true in all states that runs begin in.
    pub invariants: Vec<String>,
    pub functions: Vec<FunctionGas>,
}

/// What it takes to put the contract on the chain.
pub struct Deployment {
    /// Bytes of the code as deployed.
    pub code_bytes: usize,
    pub measured: Result<Measurement, String>,
    /// Of the constructor, as Solidity writes them, where it takes some: the dearest that were found. Others may be dearer.
    pub arguments: Option<Vec<String>>,
}

pub struct FunctionGas {
    /// `transfer(address,uint256)`, `receive()`, `fallback()`
    pub signature: String,
    pub span: Option<Span>,
    /// Of the function in the source, which has the annotations.
    pub source: Option<Span>,
    pub accepts_ether: bool,
    pub ceiling: Ceiling,
    /// What the transaction takes beside the execution.
    pub overhead: Overhead,
    /// What a budget may speak of.
    pub names: Vec<String>,
    pub runs: Runs,
    /// What executions say of the formula.
    pub growth: Vec<Growth>,
    /// Places of the loops and other instructions that the ceiling speaks of.
    pub places: Vec<(usize, Span)>,
}

impl FunctionGas {
    /// `transfer`, without its parameters.
    pub fn name(&self) -> &str {
        self.signature.split('(').next().unwrap_or(&self.signature)
    }

    /// It has a bound, if only in terms of lengths.
    pub fn is_bounded(&self) -> bool {
        self.ceiling.blames.is_empty() && !self.ceiling.execution.is_endless()
    }

    /// There was no time to find out whether it has.
    pub fn is_out_of_time(&self) -> bool {
        self.ceiling.blames.iter().any(|blame| blame.reason == Reason::Time)
    }

    /// The ceiling of what is measured; nothing if there is none.
    pub fn ceiling_of(&self, measure: Measure) -> Option<Formula> {
        self.overhead.with_execution(&self.ceiling.execution.formula()?, measure)
    }

    pub fn place(&self, pc: usize) -> Option<Span> {
        self.places.iter().find(|(at, _)| *at == pc).map(|(_, span)| *span)
    }
}

pub fn measure_contract(task: &Task, target: &Target, search: &Search) -> Result<ContractGas, String> {
    let program = &task.loaded.program;
    let contract = &program.contracts[target.contract];
    let build = &target.build;
    let compiled = build
        .contract(&contract.file, &contract.name)
        .ok_or_else(|| format!("solc made no code for `{}`", contract.name))?;
    let subject = Subject::of_solc(compiled);
    let turn = search.turn(&contract.name);
    let ceilings = turn.ceilings(&subject, target);
    let deployment = match takes_arguments(compiled) {
        true => dearest_deployment(program, target, compiled, &turn)?,
        false => plain_deployment(build, contract, compiled),
    };
    let invariants = turn.invariants(program, target);
    let mut found = turn.runs(program, target, invariants)?;
    let mut functions = Vec::new();
    for (function, ceiling) in subject.functions.iter().zip(ceilings) {
        let entry = EntryOf::new(program, contract, &ceiling);
        let classes = found.iter().position(|f| f.function == function.signature);
        let runs = classes.map(|at| Runs::new(found.swap_remove(at), &ceiling)).unwrap_or_default();
        functions.push(FunctionGas {
            signature: function.signature.clone(),
            span: entry.span,
            source: entry.source,
            accepts_ether: entry.payable,
            overhead: Overhead::new(build.fork, function),
            names: names(function, &subject, &ceiling),
            growth: growth(build, &subject, function, &ceiling, &runs),
            runs,
            places: places(&task.loaded.sources, compiled, &ceiling),
            ceiling,
        });
    }
    let invariants = invariants.iter().map(|clause| clause.text.clone()).collect();
    Ok(ContractGas { contract: target.contract, build: build.clone(), deployment, invariants, functions })
}

/// From the dearest run that does not revert.
fn growth(
    build: &Build,
    subject: &Subject,
    function: &Function,
    ceiling: &Ceiling,
    runs: &Runs,
) -> Vec<Growth> {
    let bounded = ceiling.blames.is_empty() && !ceiling.execution.is_endless();
    let run = runs.classes.iter().find(|run| run.returns()).filter(|_| bounded && !ceiling.loops.is_empty());
    run.map_or_else(Vec::new, |run| {
        Stretch { fork: build.fork, subject, function, ceiling: &ceiling.execution, run }.all()
    })
}

/// Arguments, variables, and what the ceiling depends on beside them.
fn names(function: &Function, subject: &Subject, ceiling: &Ceiling) -> Vec<String> {
    let inputs = function.inputs.iter().enumerate().flat_map(|(at, input)| input.names(at));
    let variables = subject.variables.iter().flat_map(StateVariable::names);
    let parameters = ceiling.execution.parameters().iter().map(|parameter| parameter.name.clone());
    let mut names: Vec<String> = Vec::new();
    for name in inputs.chain(variables).chain(parameters) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The function of the source behind a selector.
struct EntryOf {
    span: Option<Span>,
    source: Option<Span>,
    payable: bool,
}

impl EntryOf {
    fn new(program: &Program, contract: &Contract, ceiling: &Ceiling) -> EntryOf {
        let (proc, payable): (Option<ProcId>, bool) = match ceiling.entry {
            Entry::Selector(selector) => {
                let entry = contract.entries.iter().find(|entry| entry.selector == selector);
                (entry.map(|entry| entry.proc), entry.is_some_and(|entry| entry.payable))
            }
            Entry::Receive => (contract.receive, true),
            Entry::Fallback => (contract.fallback.map(|fallback| fallback.proc), true),
        };
        let body = proc.and_then(|proc| program.body_of(proc));
        let source = body.and_then(|body| program.procs[body].function.as_ref().map(|info| info.span));
        let span = source.or_else(|| proc.and_then(|proc| program.procs[proc].span)).or(contract.span);
        EntryOf { span, source, payable }
    }
}

fn places(sources: &SourceMap, compiled: &solc::Contract, ceiling: &Ceiling) -> Vec<(usize, Span)> {
    let offsets = (ceiling.loops.iter().map(|l| l.pc))
        .chain(ceiling.blames.iter().map(|blame| blame.pc))
        .chain(ceiling.calls.iter().map(|(pc, _)| *pc))
        .chain(ceiling.burns.iter().copied());
    let span = |pc: usize| Some((pc, span_of(sources, compiled.deployed_places.at(pc)?)?));
    offsets.filter_map(span).collect()
}

fn span_of(sources: &SourceMap, place: &Place) -> Option<Span> {
    let (file, _) = sources.files().find(|(_, file)| *file.name == *place.file)?;
    Some(Span { file, start: place.start, end: place.end })
}

const DEPLOYER: Address = Address::repeat_byte(0xd1);
const PLENTY: u64 = 1 << 40;

fn plain_deployment(build: &Build, contract: &Contract, compiled: &solc::Contract) -> Deployment {
    let measured = deploy(build, contract);
    Deployment { code_bytes: compiled.deployed.bytes().len(), measured, arguments: None }
}

fn deploy(build: &Build, contract: &Contract) -> Result<Measurement, String> {
    let mut state = State::default();
    let linked = build.link(&contract.file, &contract.name, &mut state).map_err(|e| e.to_string())?;
    let data = linked.creation;
    let message = Message { from: DEPLOYER, origin: None, value: U256::ZERO, data, gas: PLENTY };
    let (measured, _) = measure::deploy(build.fork, &state, &message);
    if measured.outcome.success { Ok(measured) } else { Err("the constructor reverts".to_owned()) }
}

/// With arguments that nobody knows: the dearest that are found.
fn dearest_deployment(
    program: &Program,
    target: &Target,
    compiled: &solc::Contract,
    turn: &Turn,
) -> Result<Deployment, String> {
    let unknown = || Err("depends on the arguments of the constructor".to_owned());
    let found = turn.deployment(program, target)?;
    let arguments = found.as_ref().and_then(|found| {
        let types = parameter_types(program, program.contracts[target.contract].constructor?);
        let data = found.message.data.get(compiled.code.bytes().len()..)?;
        decode(program, &types, data, &Names::in_full())
    });
    Ok(Deployment {
        code_bytes: compiled.deployed.bytes().len(),
        measured: found.map_or_else(unknown, |found| Ok(found.measurement)),
        arguments: Some(arguments.unwrap_or_default()),
    })
}

fn takes_arguments(compiled: &solc::Contract) -> bool {
    let items = compiled.abi.as_array().into_iter().flatten();
    let constructor = items.into_iter().find(|item| item["type"] == "constructor");
    constructor.is_some_and(|item| item["inputs"].as_array().is_some_and(|inputs| !inputs.is_empty()))
}
