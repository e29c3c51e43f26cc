//! Simplifications that engines count on.

use super::super::{Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

fn array() -> Sort {
    Sort::array(Sort::Int, Sort::Int)
}

#[test]
fn select_sees_through_what_the_array_is_made_of() {
    let mut terms = Terms::new();
    let a = terms.symbol("a", array());
    let x = terms.symbol("x", Sort::Int);
    let one = terms.int(1);
    let next = terms.add(x, one);
    let stored = terms.store(a, next, one);
    let plain = terms.select(a, x);
    assert_eq!(terms.select(stored, next), one);
    assert_eq!(terms.select(stored, x), plain);
    let i = terms.fresh_bound("i", Sort::Int);
    let element = terms.select(a, i);
    assert_eq!(terms.lambda(i, element), a);
    let shifted = terms.add(element, one);
    let lambda = terms.lambda(i, shifted);
    let expected = terms.add(plain, one);
    assert_eq!(terms.select(lambda, x), expected);
}

/// Solvers take the lowest bit of a word for what it is, but search for numbers with a remainder.
#[test]
fn powers_of_two_cut_numbers_that_are_made_of_bits() {
    let mut terms = Terms::new();
    let bits = terms.symbol("x", Sort::BitVec(8));
    let number = terms.bv_to_int(bits);
    let (two, three, many) = (terms.int(2), terms.int(3), terms.int(256));
    let low = terms.extract(0, 0, bits);
    let high = terms.extract(7, 1, bits);
    let rest = terms.modulo(number, two);
    assert_eq!(rest, terms.bv_to_int(low));
    assert_eq!(terms.div(number, two), terms.bv_to_int(high));
    let thirds = terms.modulo(number, three);
    assert_eq!(*terms.op(thirds), Op::Mod);
    let one = terms.int(1);
    let bit = terms.bv(1u8, 1);
    assert_eq!(terms.eq(one, rest), terms.eq(low, bit));
    let never = terms.eq(number, many);
    assert_eq!(terms.as_bool(never), Some(false));
}

/// Each step mentions the array before it twice; looking at every path would take 2^200 steps.
#[test]
fn a_chain_of_choices_is_looked_at_once() {
    let mut terms = Terms::new();
    let mut a = terms.symbol("a", array());
    let i = terms.fresh_bound("i", Sort::Int);
    let zero = terms.lambda(i, i);
    for n in 0..200 {
        let cond = terms.symbol(&format!("c{n}"), Sort::Bool);
        let at = terms.symbol(&format!("i{n}"), Sort::Int);
        let below = if n == 0 { zero } else { a };
        let written = terms.store(below, at, at);
        a = terms.ite(cond, written, a);
    }
    let x = terms.symbol("x", Sort::Int);
    let element = terms.select(a, x);
    assert_eq!(*terms.op(element), Op::Ite);
}

#[test]
fn deep_terms_do_not_use_up_the_stack() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Int);
    let y = terms.symbol("y", Sort::Int);
    let two = terms.int(2);
    let mut deep = x;
    let mut table = terms.symbol("a", array());
    for n in 0..50_000 {
        deep = terms.div(deep, two);
        deep = terms.mul(deep, y);
        let at = terms.int(n);
        table = terms.store(table, at, x);
    }
    let at = terms.int(-1);
    let element = terms.select(table, at);
    assert_eq!(*terms.op(element), Op::Select);
    let replaced = terms.replace(deep, x, y);
    assert!(terms.mentions(replaced, y) && !terms.mentions(replaced, x));
}

#[test]
fn replacing_captures_nothing() {
    let mut terms = Terms::new();
    let i = terms.fresh_bound("i", Sort::Int);
    let x = terms.symbol("x", Sort::Int);
    let below = terms.lt(i, x);
    let bounded = terms.exists(&[i], below);
    // `exists i. i < x` with a free `i` for `x` is about two different variables.
    let result = terms.replace(bounded, x, i);
    assert_eq!(terms.free_variables(result), [i]);
    let whole = terms.forall(&[i], result);
    assert!(terms.is_closed(whole));
    // A variable is replaced only where it is free.
    assert_eq!(terms.replace(bounded, i, x), bounded);
}

#[test]
fn a_map_is_applied_at_once() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
    let difference = terms.sub(x, y);
    let mut map: FxHashMap<TermId, TermId> = [(x, y), (y, x)].into_iter().collect();
    let swapped = terms.replace_all(difference, &mut map);
    let expected = terms.sub(y, x);
    assert_eq!(swapped, expected);
}

#[test]
fn sums_have_a_normal_form() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
    let one = terms.int(1);
    let left = terms.add(x, y);
    let left = terms.add(left, one);
    let right = terms.add(one, y);
    let right = terms.add(right, x);
    assert_eq!(left, right);
    let nothing = terms.sub(left, right);
    assert_eq!(terms.as_int(nothing), Some(&0.into()));
    let strictly = terms.lt(x, left);
    assert_eq!(terms.as_bool(strictly), None);
    let next = terms.add(x, one);
    let below = terms.lt(x, next);
    assert_eq!(terms.as_bool(below), Some(true));
}

#[test]
fn conversions_cancel() {
    let mut terms = Terms::new();
    let b = terms.symbol("b", Sort::BitVec(8));
    let x = terms.symbol("x", Sort::Int);
    let int = terms.bv_to_int(b);
    assert_eq!(terms.int_to_bv(8, int), b);
    let bits = terms.int_to_bv(8, x);
    let modulus = terms.int(256);
    let expected = terms.modulo(x, modulus);
    assert_eq!(terms.bv_to_int(bits), expected);
}

#[test]
fn ranges_are_known() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Int);
    let b = terms.symbol("b", Sort::BitVec(8));
    let [zero, small, word] = [0, 256, 65_536].map(|n| terms.int(n));
    let wrapped = terms.modulo(x, small);
    assert_eq!(terms.modulo(wrapped, small), wrapped);
    assert_eq!(terms.modulo(wrapped, word), wrapped);
    assert_eq!(terms.div(wrapped, word), zero);
    let byte = terms.bv_to_int(b);
    assert_eq!(terms.modulo(byte, small), byte);
    let facts = [terms.le(zero, wrapped), terms.lt(byte, small), terms.lt(wrapped, word)];
    assert!(facts.iter().all(|fact| terms.as_bool(*fact) == Some(true)));
    let open = [terms.lt(zero, wrapped), terms.le(byte, wrapped)];
    assert!(open.iter().all(|fact| terms.as_bool(*fact).is_none()));
}
