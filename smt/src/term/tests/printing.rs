//! SMT-LIB text.

use super::super::{Dialect, Op, Printer, Sort, Terms};
use super::z3_session;
use crate::solver::Answer;
use std::time::Duration;

fn array() -> Sort {
    Sort::array(Sort::Int, Sort::Int)
}

#[test]
fn shared_parts_are_defined_once_and_names_are_no_words_of_the_language() {
    let mut terms = Terms::new();
    let x = terms.symbol("select", Sort::Int);
    let y = terms.symbol("a b|c", Sort::Int);
    let product = terms.mul(x, y);
    let minus = terms.int(-3);
    let low = terms.lt(minus, product);
    let high = terms.lt(product, y);
    let both = terms.and(low, high);
    let mut printer = Printer::new(Dialect::Z3);
    assert_eq!(
        printer.assert(&terms, both),
        [
            "(declare-const select! Int)",
            "(declare-const a_b_c! Int)",
            "(define-fun ?2 () Int (* select! a_b_c!))",
            "(assert (and (< (- 3) ?2) (< ?2 a_b_c!)))",
        ]
    );
    assert_eq!(printer.assert(&terms, low), ["(assert (< (- 3) ?2))"]);
}

#[test]
fn names_that_would_be_the_same_are_kept_apart() {
    let mut terms = Terms::new();
    let x = terms.symbol("x|", Sort::Bool);
    let y = terms.symbol("x\\", Sort::Bool);
    let other = terms.symbol("x|", Sort::Int);
    let zero = terms.int(0);
    let third = terms.lt(zero, other);
    let f = terms.function("x|", vec![Sort::Int], Sort::Bool);
    let fourth = terms.apply(&f, &[other]);
    let not = terms.not(y);
    let all = terms.and_all([x, not, third, fourth]);
    let mut session = z3_session(Duration::from_secs(5));
    session.assert(&terms, all);
    assert_eq!(session.check(), Answer::Sat);
}

#[test]
fn shared_parts_under_a_quantifier_are_named_inside() {
    let mut terms = Terms::new();
    let i = terms.fresh_bound("i", Sort::Int);
    let a = terms.symbol("a", array());
    let element = terms.select(a, i);
    let square = terms.mul(element, element);
    let zero = terms.int(0);
    let positive = terms.le(zero, square);
    let small = terms.lt(square, i);
    let either = terms.or(positive, small);
    let all = terms.forall(&[i], either);
    let text = Printer::new(Dialect::Z3).assert(&terms, all);
    assert_eq!(
        text.last().map(String::as_str),
        Some(
            "(assert (forall ((i!1 Int)) (let ((?2 (select a! i!1))) (let ((?3 (* ?2 ?2))) \
             (or (<= 0 ?3) (< ?3 i!1))))))"
        )
    );
    let not = terms.not(all);
    let mut session = z3_session(Duration::from_secs(5));
    session.assert(&terms, not);
    assert_eq!(session.check(), Answer::Unsat);
}

#[test]
fn text_grows_with_the_graph_not_with_the_tree() {
    let mut terms = Terms::new();
    let i = terms.fresh_bound("i", Sort::Int);
    let mut closed = terms.symbol("x", Sort::Int);
    let mut open = i;
    for n in 0..100 {
        let k = terms.int(n + 2);
        let (once, again) = (terms.div(closed, k), terms.modulo(closed, k));
        closed = terms.mul(once, again);
        let (once, again) = (terms.div(open, k), terms.modulo(open, k));
        open = terms.mul(once, again);
    }
    let below = terms.lt(open, closed);
    let all = terms.forall(&[i], below);
    let text = Printer::new(Dialect::Z3).assert(&terms, all).concat();
    assert!(text.len() < 20_000, "{}", text.len());
    let expression = Printer::new(Dialect::Z3).expression(&terms, all).expect("no lambda");
    assert!(expression.len() < 20_000, "{}", expression.len());
}

#[test]
fn deep_terms_are_printed_in_pieces_that_z3_reads() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bool);
    let i = terms.fresh_bound("b", Sort::Bool);
    let (mut deep, mut open) = (x, i);
    for n in 0..20_000 {
        let c = terms.symbol(&format!("c{}", n % 7), Sort::Bool);
        deep = terms.intern(Op::Ite, [c, deep, x], Sort::Bool);
        open = terms.intern(Op::Ite, [c, open, x], Sort::Bool);
    }
    let all = terms.exists(&[i], open);
    let both = terms.and(deep, all);
    let mut session = z3_session(Duration::from_secs(20));
    session.assert(&terms, both);
    assert_eq!(session.check(), Answer::Sat);
}

#[test]
fn lambdas_become_arrays_with_an_axiom_where_there_are_none() {
    let mut terms = Terms::new();
    let (i, j) = (terms.fresh_bound("i", Sort::Int), terms.fresh_bound("j", Sort::Int));
    let one = terms.int(1);
    let a = terms.symbol("a", array());
    let next = terms.add(i, one);
    let successor = terms.lambda(i, next);
    let same = terms.eq(a, successor);
    let text = Printer::new(Dialect::Standard).assert(&terms, same);
    assert_eq!(
        text,
        [
            "(declare-const a! (Array Int Int))",
            "(declare-fun ?5 () (Array Int Int))",
            "(assert (forall ((i!1 Int)) (! (= (select ?5 i!1) (+ 1 i!1)) :pattern ((select ?5 i!1)))))",
            "(assert (= a! ?5))",
        ]
    );
    let moved = terms.add(i, j);
    let shift = terms.lambda(i, moved);
    let same = terms.eq(a, shift);
    let some = terms.exists(&[j], same);
    let text = Printer::new(Dialect::Standard).assert(&terms, some);
    let id = shift.0;
    assert_eq!(
        text[1..],
        [
            format!("(declare-fun ?{id} (Int) (Array Int Int))"),
            format!(
                "(assert (forall ((j!2 Int) (i!1 Int)) (! (= (select (?{id} j!2) i!1) (+ i!1 j!2)) \
                 :pattern ((select (?{id} j!2) i!1)))))"
            ),
            format!("(assert (exists ((j!2 Int)) (= a! (?{id} j!2))))"),
        ]
    );

    // Some solvers accept only a value as the element of all.
    let x = terms.symbol("x", Sort::Int);
    let constant = terms.const_array(Sort::Int, x);
    let same = terms.eq(a, constant);
    let text = Printer::new(Dialect::Standard).assert(&terms, same);
    let id = constant.0;
    assert_eq!(
        text[3],
        format!("(assert (forall ((?i Int)) (! (= (select ?{id} ?i) x!) :pattern ((select ?{id} ?i)))))")
    );
    let zeros = terms.const_array(Sort::Int, one);
    let same = terms.eq(a, zeros);
    let text = Printer::new(Dialect::Standard).assert(&terms, same);
    assert_eq!(text[1], "(assert (= a! ((as const (Array Int Int)) 1)))");
}
