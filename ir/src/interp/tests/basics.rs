//! One contract: arithmetic, dispatch, procedures, memory, checks.

use super::*;
use crate::expr::{ArithOp, Builtin, Root, Step};
use crate::program::{AllocInit, Callee, EvmOp, Fallback, Obligation, ObligationKind, Terminator};
use crate::span::{FileId, Span};
use crate::types::Type;

/// `x += by`, checked, with `require(by != 0, "zero")`.
fn counter(p: &mut Program) -> ContractId {
    let c = contract(p, "Counter");
    let x = state(p, c, "x", StateKind::Storage);
    getter(p, c, "x()", x);
    let mut b = builder(c, "inc");
    let by = b.param("by", p.types.word());
    let by = b.get(p, by);
    let (zero, message) = (p.const_word(n(0)), p.const_bytes(&error_payload(b"zero")));
    let cond = p.ne(by, zero);
    b.require(cond, message);
    let old = get(p, x);
    let (fits, overflow) = (p.fits(ArithOp::Add, old, by), p.const_bytes(&panic_payload(0x11)));
    b.require(fits, overflow);
    let sum = p.add(old, by);
    set(p, &mut b, x, sum);
    b.ret_values(&[]);
    entry(p, c, "inc(uint256)", b);
    c
}

#[test]
fn storage_reverts_and_panics() {
    let mut p = Program::default();
    let c = counter(&mut p);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert!(words(&mut i, a, "inc(uint256)", &[n(5)]).is_empty());
    assert_eq!(words(&mut i, a, "x()", &[]), [n(5)]);
    reverts_with(&i.call(SENDER, a, n(0), &calldata("inc(uint256)", &[n(0)])), &error_payload(b"zero"));
    reverts_with(&i.call(SENDER, a, n(0), &calldata("inc(uint256)", &[U256::MAX])), &panic_payload(0x11));
    // Too little calldata, an unknown function, no calldata at all.
    for data in [&calldata("inc(uint256)", &[])[..], &calldata("y()", &[]), &[]] {
        reverts_with(&i.call(SENDER, a, n(0), data), &[]);
    }
    assert_eq!(words(&mut i, a, "x()", &[]), [n(5)]);
    // An account without code accepts anything.
    assert!(i.call(SENDER, n(0xabc), n(7), &[1, 2, 3]).succeeded());
    assert_eq!(i.world.balance(n(0xabc)), n(7));
}

#[test]
fn receive_and_fallback() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let x = state(&mut p, c, "x", StateKind::Storage);
    let mut b = builder(c, "receive");
    let value = env(&mut p, EnvVar::CallValue);
    set(&mut p, &mut b, x, value);
    b.ret_values(&[]);
    p.contracts[c].receive = Some(p.procs.push(b.finish()));
    // A fallback that returns its input.
    let bytes = p.types.bytes();
    let (in_calldata, in_memory) =
        (p.types.intern(Type::CalldataRef(bytes)), p.types.intern(Type::MemoryRef(bytes)));
    let mut b = builder(c, "fallback");
    let input = b.param("input", in_calldata);
    b.ret(in_memory);
    let output = b.fresh(in_memory);
    let input = b.get(&mut p, input);
    b.stmt(StmtKind::Alloc { dst: output, init: AllocInit::Copy(bytes, input) });
    let output = b.get(&mut p, output);
    b.ret_values(&[output]);
    let proc = p.procs.push(b.finish());
    p.contracts[c].fallback = Some(Fallback { proc, with_data: true });
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert!(i.call(SENDER, a, n(9), &[]).succeeded());
    assert_eq!(i.world.sload(a, n(0)), n(9));
    assert_eq!(i.world.balance(a), n(9));
    assert_eq!(i.call(SENDER, a, n(0), b"abcde").data(), b"abcde");
}

#[test]
fn procedures_and_pointers() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let word = word_type(&mut p);
    let mut b = ProcBuilder::new("twice", Some(c), ProcKind::Internal);
    let x = b.param("x", word);
    b.ret(word);
    let x = b.get(&mut p, x);
    let double = p.add(x, x);
    b.ret_values(&[double]);
    let twice = p.procs.push(b.finish());
    let mut b = builder(c, "f");
    let x = b.param("x", word);
    let pointer = b.param("pointer", word);
    b.ret(word);
    let (first, second) = (b.fresh(word), b.fresh(word));
    let arg = b.get(&mut p, x);
    b.call(&[first], twice, &[arg]);
    let fn_type = p.types.intern(Type::FnInternal);
    let known = p.fn_pointer(twice);
    let pointer = b.get(&mut p, pointer);
    let given = p.cast(pointer, fn_type);
    let zero = p.const_word(n(0));
    let use_known = p.eq(pointer, zero);
    let callee = p.ite(use_known, known, given);
    let arg = b.get(&mut p, first);
    b.stmt(StmtKind::Call { dsts: vec![second], callee: Callee::Pointer(callee), args: vec![arg] });
    let result = b.get(&mut p, second);
    b.ret_values(&[result]);
    entry(&mut p, c, "f(uint256,uint256)", b);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert_eq!(words(&mut i, a, "f(uint256,uint256)", &[n(3), n(0)]), [n(12)]);
    let outcome = i.call(SENDER, a, n(0), &calldata("f(uint256,uint256)", &[n(3), n(1000)]));
    reverts_with(&outcome, &panic_payload(0x51));
}

#[test]
fn typed_and_raw_memory_are_the_same_bytes() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let word = word_type(&mut p);
    let array = p.types.intern(Type::Array { elem: word, len: None });
    let array_ref = p.types.intern(Type::MemoryRef(array));
    let mut b = builder(c, "f");
    b.ret(array_ref);
    b.ret(word);
    let dst = b.fresh(array_ref);
    let two = p.const_word(n(2));
    b.stmt(StmtKind::Alloc { dst, init: AllocInit::Array(array, two) });
    let object = b.get(&mut p, dst);
    let one = p.const_word(n(1));
    let second = p.place(Root::Memory(object), &[Step::Index(one)]).expect("an element");
    let seven = p.const_word(n(7));
    b.store(second, seven);
    // mstore(add(object, 0x20), mul(mload(add(object, 0x40)), 2))
    let address = p.cast(object, word);
    let (o20, o40) = (p.const_word(n(0x20)), p.const_word(n(0x40)));
    let (first, last) = (p.add(address, o20), p.add(address, o40));
    let value = p.builtin(Builtin::MLoad, &[last]);
    let doubled = p.mul(value, two);
    b.stmt(StmtKind::Evm { op: EvmOp::MStore, args: vec![first, doubled], dsts: vec![] });
    let length = p.place(Root::Memory(object), &[]).expect("the object");
    let length = p.length(length);
    b.ret_values(&[object, length]);
    entry(&mut p, c, "f()", b);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert_eq!(words(&mut i, a, "f()", &[]), [n(0x40), n(2), n(2), n(14), n(7)]);
}

#[test]
fn decode_reports_instead_of_reverting() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let (word, bool_ty, bytes, small) = (p.types.word(), p.types.bool(), p.types.bytes(), p.types.uint(8));
    let mut b = builder(c, "f");
    let x = b.param("x", word);
    b.ret(bool_ty);
    b.ret(small);
    let (out, ok, error) = (b.fresh(small), b.fresh(bool_ty), b.fresh(bytes));
    let x = b.get(&mut p, x);
    let data = p.abi_encode(AbiMode::Standard, None, &[x]);
    b.stmt(StmtKind::Decode { dsts: vec![out], types: vec![small], strict: true, data, ok, error });
    let results = [b.get(&mut p, ok), b.get(&mut p, out)];
    b.ret_values(&results);
    entry(&mut p, c, "f(uint256)", b);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert_eq!(words(&mut i, a, "f(uint256)", &[n(255)]), [n(1), n(255)]);
    assert_eq!(words(&mut i, a, "f(uint256)", &[n(256)]), [n(0), n(0)]);
}

#[test]
fn checks_are_recorded_and_unsupported_code_ends_the_transaction() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let x = state(&mut p, c, "x", StateKind::Storage);
    let span = Span::new(FileId(0), 0, 1);
    let obligation = p.obligations.push(Obligation {
        kind: ObligationKind::Assertion,
        span,
        contract: Some(c),
        silent: false,
    });
    let mut b = builder(c, "f");
    let arg = b.param("x", p.types.word());
    let arg = b.get(&mut p, arg);
    let five = p.const_word(n(5));
    let cond = p.lt(arg, five);
    b.stmt(StmtKind::Check { obligation, cond });
    set(&mut p, &mut b, x, arg);
    let (bad, good) = (b.block(), b.block());
    b.branch(cond, good, bad);
    b.switch_to(bad);
    b.stmt(StmtKind::Unsupported { what: "magic".into() });
    b.terminate(Terminator::Unreachable);
    b.switch_to(good);
    b.ret_values(&[]);
    entry(&mut p, c, "f(uint256)", b);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert!(i.call(SENDER, a, n(0), &calldata("f(uint256)", &[n(4)])).failed_checks.is_empty());
    let outcome = i.call(SENDER, a, n(0), &calldata("f(uint256)", &[n(6)]));
    assert_eq!(outcome.failed_checks, [obligation]);
    assert_eq!(outcome.status, Status::Unsupported { what: "magic".into(), span: None });
    assert_eq!(i.world.sload(a, n(0)), n(4));
}
