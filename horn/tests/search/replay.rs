//! Traces, run by the interpreter of the IR. What others answer cannot be told to it, so only traces in which nobody else
//! does anything are run.

use hornet_ir::U256;
use hornet_ir::expr::{AbiMode, EnvVar};
use hornet_ir::ids::{ObligationId, ProcId, TypeId};
use hornet_ir::interp::abi::encode::encode_trees;
use hornet_ir::interp::value::Tree;
use hornet_ir::interp::{Interpreter, Outcome};
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::trace::{Action, Step, Trace};

/// Whether others do something that the interpreter cannot be told.
pub fn involves_others(trace: &Trace) -> bool {
    trace.steps.iter().any(|step| !step.outside.is_empty())
}

/// How a trace ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It failed where it says, in its last step.
    AsTold,
    /// An assertion stopped it before.
    Stopped,
    Otherwise,
}

/// Runs a trace.
pub fn run(program: &Program, trace: &Trace) -> Ending {
    let mut interp = Interpreter::new(program);
    interp.install_libraries();
    for (address, balance) in &trace.balances {
        interp.world.set_balance(*address, *balance);
    }
    let mut this = None;
    let mut stopped = false;
    let mut failed = Vec::new();
    for step in &trace.steps {
        set_environment(&mut interp, step);
        let Some(outcome) = perform(&mut interp, program, trace, step, &mut this) else { continue };
        failed = outcome.failed_checks;
        let is_assertion = |id: &ObligationId| program.obligations[*id].kind == ObligationKind::Assertion;
        stopped |= failed.iter().any(is_assertion);
    }
    let is_told = |id: &ObligationId| {
        let check = &program.obligations[*id];
        (check.kind, check.span) == (trace.failure.kind, trace.failure.span)
    };
    match failed.iter().any(is_told) {
        true => Ending::AsTold,
        false if stopped => Ending::Stopped,
        false => Ending::Otherwise,
    }
}

fn perform(
    interp: &mut Interpreter<'_>,
    program: &Program,
    trace: &Trace,
    step: &Step,
    this: &mut Option<U256>,
) -> Option<Outcome> {
    let contract = &program.contracts[trace.contract];
    let data = match &step.action {
        Action::Deploy { args } => {
            let data = encoded(program, contract.constructor?, args);
            // Where the interpreter deploys it depends on who does.
            let nonce = interp.world.nonce(step.caller);
            let address = hornet_ir::interp::code::create_address(step.caller, nonce);
            let balance = interp.world.balance(trace.this);
            interp.world.set_balance(trace.this, U256::ZERO);
            interp.world.set_balance(address, balance);
            let outcome = interp.deploy(trace.contract, &data, step.value, step.caller);
            *this = outcome.address;
            return Some(outcome);
        }
        Action::Call { entry, args } => {
            let entry = &contract.entries[*entry];
            let mut data = entry.selector.to_vec();
            data.extend(encoded(program, entry.proc, args));
            data
        }
        Action::Receive => Vec::new(),
        Action::Fallback { data } => data.clone(),
        Action::ForcedEther => {
            let this = (*this)?;
            let balance = interp.world.balance(this) + step.value;
            interp.world.set_balance(this, balance);
            return None;
        }
    };
    Some(interp.call(step.caller, (*this)?, step.value, &data))
}

fn encoded(program: &Program, proc: ProcId, args: &[Tree]) -> Vec<u8> {
    let proc = &program.procs[proc];
    let types: Vec<TypeId> = proc
        .params
        .iter()
        .map(|param| program.types.referent(proc.locals[*param].ty).unwrap_or(proc.locals[*param].ty))
        .collect();
    encode_trees(&program.types, AbiMode::Standard, &types, args).expect("arguments of their types")
}

fn set_environment(interp: &mut Interpreter<'_>, step: &Step) {
    let env = &mut interp.world.env;
    env.origin = Some(step.origin);
    for (var, value) in &step.environment {
        match var {
            EnvVar::Timestamp => env.timestamp = *value,
            EnvVar::Number => env.number = *value,
            EnvVar::Coinbase => env.coinbase = *value,
            EnvVar::PrevRandao => env.prev_randao = *value,
            EnvVar::GasLimit => env.gas_limit = *value,
            EnvVar::ChainId => env.chain_id = *value,
            EnvVar::BaseFee => env.base_fee = *value,
            EnvVar::BlobBaseFee => env.blob_base_fee = *value,
            EnvVar::GasPrice => env.gas_price = *value,
            EnvVar::This
            | EnvVar::Caller
            | EnvVar::Origin
            | EnvVar::CallValue
            | EnvVar::CallData
            | EnvVar::ReturnData
            | EnvVar::GasLeft => {}
        }
    }
}
