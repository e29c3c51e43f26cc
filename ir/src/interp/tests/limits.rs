//! What has to end, ends: loops, recursion of every kind, deep expressions.

use super::*;

#[test]
fn endless_loops_run_out_of_gas() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let mut b = builder(c, "f");
    let head = b.block();
    b.goto(head);
    b.switch_to(head);
    b.goto(head);
    entry(&mut p, c, "f()", b);
    let mut i = start(&p);
    i.limits.gas = 1_000_000;
    let a = deploy(&mut i, c);
    assert_eq!(i.call(SENDER, a, n(0), &calldata("f()", &[])).status, Status::OutOfGas);
}

#[test]
fn endless_internal_recursion_fails() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let mut b = builder(c, "f");
    b.call(&[], p.procs.next_id(), &[]);
    b.ret_values(&[]);
    entry(&mut p, c, "f()", b);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert_eq!(i.call(SENDER, a, n(0), &calldata("f()", &[])).status, Status::OutOfGas);
}

#[test]
fn external_recursion_stops_at_the_call_depth() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let depth = state(&mut p, c, "depth", StateKind::Storage);
    getter(&mut p, c, "depth()", depth);
    let mut b = builder(c, "f");
    let (old, one) = (get(&mut p, depth), p.const_word(n(1)));
    let next = p.add(old, one);
    set(&mut p, &mut b, depth, next);
    let this = env(&mut p, EnvVar::This);
    let data = encode_call(&mut p, "f()", &[]);
    external(&mut p, &mut b, CallKind::Call, this, None, Gas::All, data);
    b.ret_values(&[]);
    entry(&mut p, c, "f()", b);
    let mut i = start(&p);
    i.limits.gas = u64::MAX / 2;
    let a = deploy(&mut i, c);
    assert!(words(&mut i, a, "f()", &[]).is_empty());
    assert_eq!(words(&mut i, a, "depth()", &[]), [n(1024)]);
}

#[test]
fn deep_expressions_do_not_exhaust_the_stack() {
    let mut p = Program::default();
    let c = contract(&mut p, "C");
    let x = state(&mut p, c, "x", StateKind::Storage);
    let word = word_type(&mut p);
    let mut b = builder(c, "f");
    b.ret(word);
    let one = p.const_word(n(1));
    set(&mut p, &mut b, x, one);
    let mut sum = get(&mut p, x);
    for _ in 0..100_000 {
        sum = p.add(sum, one);
    }
    b.ret_values(&[sum]);
    entry(&mut p, c, "f()", b);
    let mut i = start(&p);
    let a = deploy(&mut i, c);
    assert_eq!(words(&mut i, a, "f()", &[]), [n(100_001)]);
}
