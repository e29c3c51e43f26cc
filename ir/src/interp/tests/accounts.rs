//! Several contracts: calls of every kind, creation, ether, events.

use super::*;
use crate::expr::{Builtin, Expr};
use crate::interp::code::create_address;
use crate::program::{Create, EvmOp, Terminator};

/// `set(uint256)` and `x()`; `set` reverts with "big" from 100 on, after having written.
fn target(p: &mut Program) -> ContractId {
    let c = contract(p, "Target");
    let x = state(p, c, "x", StateKind::Storage);
    getter(p, c, "x()", x);
    let mut b = builder(c, "set");
    let arg = b.param("x", p.types.word());
    let arg = b.get(p, arg);
    set(p, &mut b, x, arg);
    let (hundred, big) = (p.const_word(n(100)), p.const_bytes(&error_payload(b"big")));
    let cond = p.lt(arg, hundred);
    b.require(cond, big);
    b.ret_values(&[]);
    entry(p, c, "set(uint256)", b);
    c
}

/// A contract with `go(target, x, value) returns (bool ok, uint returned bytes)`, calling `set(x)` on the target.
fn caller(p: &mut Program, name: &str, kind: CallKind, gas: Gas) -> ContractId {
    let c = contract(p, name);
    let x = state(p, c, "x", StateKind::Storage);
    getter(p, c, "x()", x);
    let word = p.types.word();
    let mut b = builder(c, "go");
    let params = ["target", "x", "value"].map(|name| b.param(name, word));
    let [to, x, value] = params.map(|param| b.get(p, param));
    let bool_ty = p.types.bool();
    b.ret(bool_ty);
    b.ret(word);
    let address = p.types.address();
    let to = p.cast(to, address);
    let data = encode_call(p, "set(uint256)", &[x]);
    let (ok, result) = external(p, &mut b, kind, to, Some(value), gas, data);
    let (ok, result) = (b.get(p, ok), b.get(p, result));
    let length = p.builtin(Builtin::BytesLength, &[result]);
    b.ret_values(&[ok, length]);
    entry(p, c, "go(uint256,uint256,uint256)", b);
    c
}

const GO: &str = "go(uint256,uint256,uint256)";

#[test]
fn kinds_of_calls() {
    let mut p = Program::default();
    let t = target(&mut p);
    let kinds = [CallKind::Call, CallKind::Static, CallKind::Delegate, CallKind::Code];
    let callers = kinds.map(|kind| caller(&mut p, "Caller", kind, Gas::All));
    let mut i = start(&p);
    let t = deploy(&mut i, t);
    let [call, fixed, delegate, code] = callers.map(|c| deploy(&mut i, c));
    i.world.set_balance(call, n(10));
    assert_eq!(words(&mut i, call, GO, &[t, n(42), n(3)]), [n(1), n(0)]);
    assert_eq!(words(&mut i, t, "x()", &[]), [n(42)]);
    assert_eq!((i.world.balance(call), i.world.balance(t)), (n(7), n(3)));
    // The callee's writes and the ether come back with a revert, its payload arrives.
    assert_eq!(words(&mut i, call, GO, &[t, n(100), n(3)]), [n(0), n(100)]);
    assert_eq!(i.world.balance(call), n(7));
    // Not enough ether: nothing runs.
    assert_eq!(words(&mut i, call, GO, &[t, n(1), n(8)]), [n(0), n(0)]);
    assert_eq!(words(&mut i, t, "x()", &[]), [n(42)]);
    // An account without code.
    assert_eq!(words(&mut i, call, GO, &[n(0xdead), n(1), n(1)]), [n(1), n(0)]);
    assert_eq!(words(&mut i, fixed, GO, &[t, n(1), n(0)]), [n(0), n(0)]);
    for other in [delegate, code] {
        assert_eq!(words(&mut i, other, GO, &[t, n(5), n(0)]), [n(1), n(0)]);
        assert_eq!(words(&mut i, other, "x()", &[]), [n(5)]);
    }
    assert_eq!(words(&mut i, t, "x()", &[]), [n(42)]);
}

#[test]
fn a_stipend_pays_for_a_log_but_not_for_storage() {
    let mut p = Program::default();
    let writer = target(&mut p);
    let logger = contract(&mut p, "Logger");
    let mut b = builder(logger, "set");
    b.param("x", p.types.word());
    let (topic, data) = (p.const_word(n(11)), p.const_bytes(b"hi"));
    b.stmt(StmtKind::Emit { event: None, topics: vec![topic], data, args: vec![] });
    b.ret_values(&[]);
    entry(&mut p, logger, "set(uint256)", b);
    let sender = caller(&mut p, "Sender", CallKind::Call, Gas::Stipend);
    let mut i = start(&p);
    let [writer, logger, sender] = [writer, logger, sender].map(|c| deploy(&mut i, c));
    i.world.set_balance(sender, n(10));
    for value in [0, 1] {
        assert_eq!(words(&mut i, sender, GO, &[writer, n(1), n(value)]), [n(0), n(0)]);
        let outcome = i.call(SENDER, sender, n(0), &calldata(GO, &[logger, n(1), n(value)]));
        assert_eq!(outcome.data()[31], 1);
        assert_eq!(outcome.logs.len(), 1);
        assert_eq!((outcome.logs[0].address, &outcome.logs[0].data[..]), (logger, &b"hi"[..]));
    }
}

/// A contract with an immutable set from its argument; construction reverts with "odd" for odd arguments.
fn child(p: &mut Program) -> ContractId {
    let c = contract(p, "Child");
    let value = state(p, c, "value", StateKind::Immutable);
    getter(p, c, "value()", value);
    let mut b = ProcBuilder::new("constructor", Some(c), ProcKind::Constructor);
    let arg = b.param("x", p.types.word());
    let arg = b.get(p, arg);
    set(p, &mut b, value, arg);
    let (two, zero, odd) = (p.const_word(n(2)), p.const_word(n(0)), p.const_bytes(&error_payload(b"odd")));
    let parity = p.binary(crate::expr::BinOp::Mod, arg, two);
    let even = p.eq(parity, zero);
    b.require(even, odd);
    b.ret_values(&[]);
    p.contracts[c].constructor = Some(p.procs.push(b.finish()));
    c
}

/// `make(x, salted) returns (address, ok, code size of the new contract)`.
fn factory(p: &mut Program, child: ContractId) -> ContractId {
    let c = contract(p, "Factory");
    for (signature, salted) in [("make(uint256)", false), ("make2(uint256)", true)] {
        let (word, address, bool_ty, bytes) =
            (p.types.word(), p.types.address(), p.types.bool(), p.types.bytes());
        let mut b = builder(c, signature);
        let arg = b.param("x", word);
        for ty in [address, bool_ty, word] {
            b.ret(ty);
        }
        let arg = b.get(p, arg);
        let args = p.abi_encode(AbiMode::Standard, None, &[arg]);
        let (dst, ok, result) = (b.fresh(address), b.fresh(bool_ty), b.fresh(bytes));
        let salt = salted.then(|| p.const_word(n(1)));
        b.stmt(StmtKind::Create(Box::new(Create {
            contract: child,
            value: None,
            salt,
            args,
            dst,
            ok,
            result,
        })));
        let (dst, ok) = (b.get(p, dst), b.get(p, ok));
        let size = p.builtin(Builtin::CodeSize, &[dst]);
        b.ret_values(&[dst, ok, size]);
        entry(p, c, signature, b);
    }
    c
}

#[test]
fn creation_and_immutables() {
    let mut p = Program::default();
    let child = child(&mut p);
    let factory = factory(&mut p, child);
    let mut i = start(&p);
    let f = deploy(&mut i, factory);
    assert_eq!(f, create_address(SENDER, 0));
    let made = words(&mut i, f, "make(uint256)", &[n(8)]);
    assert_eq!(made[..2], [create_address(f, 1), n(1)]);
    assert!(made[2] > n(0));
    assert_eq!(words(&mut i, made[0], "value()", &[]), [n(8)]);
    // A failed creation uses up a nonce of its creator, but leaves no account.
    assert_eq!(words(&mut i, f, "make(uint256)", &[n(7)]), [n(0), n(0), n(0)]);
    assert_eq!(words(&mut i, f, "make(uint256)", &[n(6)])[0], create_address(f, 3));
    let salted = words(&mut i, f, "make2(uint256)", &[n(8)]);
    assert_eq!(salted[1], n(1));
    // The same salt again: the address is taken.
    assert_eq!(words(&mut i, f, "make2(uint256)", &[n(8)]), [n(0), n(0), n(0)]);
    let outcome = i.deploy(child, &n(3).to_be_bytes::<32>(), n(0), SENDER);
    reverts_with(&outcome, &error_payload(b"odd"));
    assert!(!i.deploy(child, &[], n(0), SENDER).succeeded());
}

#[test]
fn code_supplied_by_a_compiler_is_visible() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let bytes32 = p.types.intern(crate::types::Type::FixedBytes(32));
    let mut b = builder(c, "hash");
    b.ret(bytes32);
    let bytes = p.types.bytes();
    let code = p.exprs.add(Expr::ContractCode { contract: c, runtime: false }, bytes);
    let hash = p.builtin(Builtin::Keccak256, &[code]);
    b.ret_values(&[hash]);
    entry(&mut p, c, "hash()", b);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    let outcome = i.call(SENDER, a, n(0), &calldata("hash()", &[]));
    assert!(matches!(outcome.status, Status::Unsupported { .. }));
    i.set_code(c, vec![1, 2, 3], vec![4]);
    assert_eq!(words(&mut i, a, "hash()", &[]), [crate::hash::keccak_word(&[1, 2, 3])]);
}

#[test]
fn destruction_and_raw_calls() {
    let mut p = Program::default();
    let t = target(&mut p);
    let c = contract(&mut p, "C");
    let mut b = builder(c, "die");
    let beneficiary = env(&mut p, EnvVar::Caller);
    b.stmt(StmtKind::SelfDestruct { beneficiary });
    b.terminate(Terminator::Unreachable);
    entry(&mut p, c, "die()", b);
    // Stores the calldata of `set(100)` in memory, calls with 4 bytes of room for the answer, returns both.
    let word = word_type(&mut p);
    let mut b = builder(c, "raw");
    let to = b.param("to", word);
    b.ret(word);
    b.ret(word);
    let to = b.get(&mut p, to);
    let set_selector = U256::from_be_slice(&crate::hash::selector("set(uint256)"));
    let consts = [set_selector << 224, n(100), n(0), n(4), n(36), n(64), U256::MAX].map(|w| p.const_word(w));
    let [sel, hundred, zero, four, size, out, gas] = consts;
    b.stmt(StmtKind::Evm { op: EvmOp::MStore, args: vec![zero, sel], dsts: vec![] });
    b.stmt(StmtKind::Evm { op: EvmOp::MStore, args: vec![four, hundred], dsts: vec![] });
    b.stmt(StmtKind::Evm { op: EvmOp::MStore, args: vec![out, zero], dsts: vec![] });
    let ok = b.fresh(word);
    let args = vec![gas, to, zero, zero, size, out, four];
    b.stmt(StmtKind::Evm { op: EvmOp::Call, args, dsts: vec![ok] });
    let (ok, answer) = (b.get(&mut p, ok), p.builtin(Builtin::MLoad, &[out]));
    b.ret_values(&[ok, answer]);
    entry(&mut p, c, "raw(uint256)", b);
    let mut i = start(&p);
    let [t, a] = [t, c].map(|c| deploy(&mut i, c));
    let error = U256::from_be_slice(&error_payload(b"")[..4]) << 224;
    assert_eq!(words(&mut i, a, "raw(uint256)", &[t]), [n(0), error]);
    i.world.set_balance(a, n(5));
    let before = i.world.balance(SENDER);
    assert!(words(&mut i, a, "die()", &[]).is_empty());
    assert_eq!(i.world.balance(SENDER), before + n(5));
    // Created in an earlier transaction: the code stays.
    assert!(i.world.code(a).is_some());
}

#[test]
fn a_constructor_may_return_code_of_its_own() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let mut b = ProcBuilder::new("constructor", Some(c), ProcKind::Constructor);
    let code = p.const_bytes(&[1, 2, 3]);
    b.terminate(Terminator::Halt(code));
    p.contracts[c].constructor = Some(p.procs.push(b.finish()));
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert_eq!(i.code_at(a), Ok([1, 2, 3].into()));
    assert_eq!(i.code_size(a), 3);
    let outcome = i.call(SENDER, a, n(0), &[]);
    assert!(matches!(outcome.status, Status::Unsupported { .. }));
}

#[test]
fn writing_an_enum_value_that_does_not_exist_panics() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let members = vec!["A".into(), "B".into()];
    let id = p.types.enums.push(crate::types::EnumDef { name: "E".into(), members });
    let enum_ty = p.types.intern(crate::types::Type::Enum(id));
    let x = state(&mut p, c, "x", StateKind::Storage);
    p.state[x].ty = enum_ty;
    let mut b = builder(c, "f");
    let arg = b.param("raw", p.types.word());
    let arg = b.get(&mut p, arg);
    let value = p.cast(arg, enum_ty);
    set(&mut p, &mut b, x, value);
    b.ret_values(&[]);
    entry(&mut p, c, "f(uint256)", b);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert!(words(&mut i, a, "f(uint256)", &[n(1)]).is_empty());
    reverts_with(&i.call(SENDER, a, n(0), &calldata("f(uint256)", &[n(2)])), &panic_payload(0x21));
    assert_eq!(i.world.sload(a, n(0)), n(1));
}
