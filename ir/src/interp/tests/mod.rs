//! Small programs, built by hand and run.

mod accounts;
mod basics;
mod limits;

use super::value::{error_payload, panic_payload};
use super::world::Address;
use super::{Interpreter, Outcome, Status};
use crate::builder::ProcBuilder;
use crate::expr::{AbiMode, EnvVar};
use crate::hash::selector;
use crate::ids::{ContractId, ExprId, LocalId, ProcId, StateVarId, TypeId};
use crate::program::{
    CallKind, Contract, ContractKind, Entry, ExternalCall, Gas, ProcKind, Program, StateKind, StateVar,
    StmtKind,
};
use ruint::aliases::U256;

const SENDER: Address = U256::from_limbs([0x5e4de7, 0, 0, 0]);

fn n(n: u64) -> U256 {
    U256::from(n)
}

/// A contract that does nothing yet, with an empty constructor.
fn contract(p: &mut Program, name: &str) -> ContractId {
    let id = p.contracts.next_id();
    let mut b = ProcBuilder::new("constructor", Some(id), ProcKind::Constructor);
    b.ret_values(&[]);
    let constructor = Some(p.procs.push(b.finish()));
    p.contracts.push(Contract {
        name: name.into(),
        file: "test.sol".into(),
        kind: ContractKind::Contract,
        span: None,
        bases: vec![id],
        state: Vec::new(),
        entries: Vec::new(),
        constructor,
        receive: None,
        fallback: None,
        invariants: Vec::new(),
        event_specs: Vec::new(),
    })
}

/// A `uint256` state variable in the next slot.
fn state(p: &mut Program, contract: ContractId, name: &str, kind: StateKind) -> StateVarId {
    let ty = p.types.word();
    let slot = n(p.contracts[contract].state.len() as u64);
    let declared_in = p.contracts[contract].name.clone();
    let var = p.state.push(StateVar {
        name: name.into(),
        declared_in,
        contract,
        ty,
        kind,
        slot,
        offset: 0,
        span: None,
    });
    p.contracts[contract].state.push(var);
    var
}

fn builder(contract: ContractId, name: &str) -> ProcBuilder {
    ProcBuilder::new(name, Some(contract), ProcKind::External)
}

/// Makes a finished procedure callable from outside.
fn entry(p: &mut Program, contract: ContractId, signature: &str, b: ProcBuilder) -> ProcId {
    let proc = p.procs.push(b.finish());
    p.contracts[contract].entries.push(Entry {
        name: signature.into(),
        signature: signature.into(),
        selector: selector(signature),
        proc,
        payable: true,
        constant: false,
        strict_abi: true,
    });
    proc
}

/// A function that reads the state variable.
fn getter(p: &mut Program, contract: ContractId, signature: &str, var: StateVarId) {
    let mut b = builder(contract, signature);
    b.ret(p.types.word());
    let place = p.state_place(var);
    let value = p.load(place);
    b.ret_values(&[value]);
    entry(p, contract, signature, b);
}

/// Sets a state variable to an expression.
fn set(p: &mut Program, b: &mut ProcBuilder, var: StateVarId, value: ExprId) {
    let place = p.state_place(var);
    b.store(place, value);
}

fn get(p: &mut Program, var: StateVarId) -> ExprId {
    let place = p.state_place(var);
    p.load(place)
}

/// Encoded call of a function with words as arguments.
fn calldata(signature: &str, args: &[U256]) -> Vec<u8> {
    let mut data = selector(signature).to_vec();
    for arg in args {
        data.extend_from_slice(&arg.to_be_bytes::<32>());
    }
    data
}

fn encode_call(p: &mut Program, signature: &str, args: &[ExprId]) -> ExprId {
    let bytes4 = p.types.intern(crate::types::Type::FixedBytes(4));
    let word = U256::from_be_slice(&selector(signature)) << 224;
    let selector = p.const_of(bytes4, word);
    p.abi_encode(AbiMode::Standard, Some(selector), args)
}

/// An external call; returns the locals for success and data.
fn external(
    p: &mut Program,
    b: &mut ProcBuilder,
    kind: CallKind,
    target: ExprId,
    value: Option<ExprId>,
    gas: Gas,
    data: ExprId,
) -> (LocalId, LocalId) {
    let (bool_ty, bytes) = (p.types.bool(), p.types.bytes());
    let (ok, result) = (b.fresh(bool_ty), b.fresh(bytes));
    let call = ExternalCall { kind, target, value, gas, data, ok, result, callee: None };
    b.stmt(StmtKind::ExternalCall(Box::new(call)));
    (ok, result)
}

fn start(p: &Program) -> Interpreter<'_> {
    let mut interp = Interpreter::new(p);
    interp.world.set_balance(SENDER, n(1_000_000));
    interp
}

fn deploy(interp: &mut Interpreter<'_>, contract: ContractId) -> Address {
    let outcome = interp.deploy(contract, &[], U256::ZERO, SENDER);
    outcome.address.unwrap_or_else(|| panic!("{outcome:?}"))
}

/// Calls and returns the words of the result.
fn words(interp: &mut Interpreter<'_>, to: Address, signature: &str, args: &[U256]) -> Vec<U256> {
    let outcome = interp.call(SENDER, to, U256::ZERO, &calldata(signature, args));
    assert!(outcome.succeeded(), "{signature}: {outcome:?}");
    outcome.data().chunks(32).map(U256::from_be_slice).collect()
}

fn reverts_with(outcome: &Outcome, payload: &[u8]) {
    assert_eq!(outcome.status, Status::Revert { payload: payload.to_vec() });
}

fn word_type(p: &mut Program) -> TypeId {
    p.types.word()
}

fn env(p: &mut Program, var: EnvVar) -> ExprId {
    p.env(var)
}
