//! What contracts do with whole words, proved with integers and lemmas: encodings must not only be right but also
//! within reach of a solver.

use super::*;
use crate::arith::lemmas;
use hornet_ir::typing::WORD;
use hornet_smt::solver::{Answer, Limits, Session, Solver};
use hornet_smt::term::Sort;
use num_bigint::BigInt;
use std::time::Duration;

const MOD: Ints = Ints { mode: Arithmetic::Mod };

/// Three words and what is assumed about them.
struct Setting {
    t: Terms,
    assumed: Vec<TermId>,
}

impl Setting {
    fn new() -> (Setting, [TermId; 3]) {
        let mut t = Terms::new();
        let words = ["x", "y", "z"].map(|name| t.fresh(name, Sort::Int));
        let assumed = words.map(|word| MOD.in_range(&mut t, &Types::default(), &WORD, word)).to_vec();
        (Setting { t, assumed }, words)
    }

    fn op(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        MOD.binary(&mut self.t, op, (&WORD, a), (&WORD, b), false)
    }

    fn assume(&mut self, op: BinOp, a: TermId, b: TermId) {
        let condition = self.op(op, a, b);
        self.assumed.push(condition);
    }

    /// As the language does before a product that must not overflow.
    fn checked_mul(&mut self, a: TermId, b: TermId) -> TermId {
        let fits = MOD.fits(&mut self.t, ArithOp::Mul, (&WORD, a), (&WORD, b));
        self.assumed.push(fits);
        MOD.binary(&mut self.t, BinOp::Mul, (&WORD, a), (&WORD, b), true)
    }

    fn ask(&mut self, claim: TermId) -> Answer {
        let solver = Solver::find("z3", None).expect("set-up unpacks z3");
        let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
        let mut session = Session::start(&solver, limits, None);
        let mut asserted = self.assumed.clone();
        asserted.push(self.t.not(claim));
        asserted.extend(lemmas(&mut self.t, &asserted));
        asserted.iter().for_each(|term| session.assert(&self.t, *term));
        session.check()
    }

    fn proves(&mut self, op: BinOp, a: TermId, b: TermId) {
        let claim = self.op(op, a, b);
        assert_eq!(self.ask(claim), Answer::Unsat);
    }
}

#[test]
fn fields_of_a_word() {
    let (mut s, [x, y, _]) = Setting::new();
    let [low_size, high_size] = [160u32, 96].map(|bits| s.t.int(BigInt::from(1) << bits));
    let by = s.t.int(160);
    s.assume(BinOp::Lt, x, low_size);
    let raised = s.op(BinOp::Shl, y, by);
    let packed = s.op(BinOp::Or, x, raised);
    let (high, low) = (s.op(BinOp::Shr, packed, by), MOD.cast(&mut s.t, &WORD, &Type::Address, packed));
    s.proves(BinOp::Eq, low, x);
    // The upper field is cut if it is too large.
    let claim = s.op(BinOp::Eq, high, y);
    assert_eq!(s.ask(claim), Answer::Sat);
    s.assume(BinOp::Lt, y, high_size);
    s.proves(BinOp::Eq, high, y);
}

#[test]
fn bits_of_a_word() {
    let (mut s, [x, y, z]) = Setting::new();
    let [zero, one, limit] = [0, 1, 256].map(|n| s.t.int(n));
    s.assume(BinOp::Lt, y, limit);
    s.assume(BinOp::Lt, z, limit);
    let [bit, other] = [y, z].map(|i| s.op(BinOp::Shl, one, i));
    let set = s.op(BinOp::Or, x, bit);
    let there = s.op(BinOp::And, set, bit);
    s.proves(BinOp::Ne, there, zero);
    let (before, after) = (s.op(BinOp::And, x, other), s.op(BinOp::And, set, other));
    let claim = s.op(BinOp::Eq, before, after);
    assert_eq!(s.ask(claim), Answer::Sat);
    s.assume(BinOp::Ne, y, z);
    s.proves(BinOp::Eq, before, after);
}

#[test]
fn shifts_by_variables() {
    let (mut s, [x, y, _]) = Setting::new();
    let right = s.op(BinOp::Shr, x, y);
    s.proves(BinOp::Le, right, x);
    let [ten, thousand, most] = [10, 1000, 1_024_000].map(|n| s.t.int(n));
    s.assume(BinOp::Le, y, ten);
    s.assume(BinOp::Le, x, thousand);
    let left = s.op(BinOp::Shl, x, y);
    s.proves(BinOp::Le, left, most);
}

#[test]
fn decimals() {
    let (mut s, [x, y, _]) = Setting::new();
    let [ten, eighteen] = [10, 18].map(|n| s.t.int(n));
    s.assume(BinOp::Le, y, eighteen);
    let unit = s.op(BinOp::Exp, ten, y);
    let scaled = s.checked_mul(x, unit);
    let back = s.op(BinOp::Div, scaled, unit);
    s.proves(BinOp::Eq, back, x);
}

#[test]
fn shares() {
    let (mut s, [x, y, z]) = Setting::new();
    let product = s.checked_mul(x, y);
    let share = s.op(BinOp::Div, product, z);
    let claim = s.op(BinOp::Le, share, x);
    assert_eq!(s.ask(claim), Answer::Sat);
    s.assume(BinOp::Le, y, z);
    s.proves(BinOp::Le, share, x);
    let quotient = s.op(BinOp::Div, x, z);
    let back = s.op(BinOp::Mul, quotient, z);
    s.proves(BinOp::Le, back, x);
}

/// The check of products in libraries for old compilers: multiply, then divide and compare.
#[test]
fn multiply_then_divide() {
    let (mut s, [x, y, _]) = Setting::new();
    let zero = s.t.int(0);
    s.assume(BinOp::Ne, x, zero);
    let product = s.op(BinOp::Mul, x, y);
    let back = s.op(BinOp::Div, product, x);
    let fits = MOD.fits(&mut s.t, ArithOp::Mul, (&WORD, x), (&WORD, y));
    assert_eq!(s.ask(fits), Answer::Sat);
    s.assume(BinOp::Eq, back, y);
    assert_eq!(s.ask(fits), Answer::Unsat);
}
