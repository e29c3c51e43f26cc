//! The other solvers, where they are installed.

use crate::common::z3;
use hornet_smt::solver::{Answer, Goal, Limits, Options, Outcome, Session, Solver, refute_all};
use hornet_smt::term::{Sort, TermId, Terms, Value};
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The solver, or a message past the test harness, which would swallow it.
fn installed(name: &str) -> Option<Solver> {
    match Solver::find(name, None) {
        Ok(solver) => Some(solver),
        Err(_) => {
            let _ = writeln!(std::io::stderr(), "skipped: {name} is not installed");
            None
        }
    }
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(10), memory_mb: 1024 }
}

/// Integers with products and remainders, bit-vectors, functions and arrays: possible for `wanted`, not above it.
struct Case {
    terms: Terms,
    goals: Vec<Goal>,
}

fn case() -> Case {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("mod", Sort::Int));
    let a = terms.symbol("store", Sort::array(Sort::Int, Sort::Int));
    let b = terms.symbol("b", Sort::BitVec(16));
    let f = terms.function("f", vec![Sort::Int], Sort::Int);
    let [two, seven, ten, square] = [2, 7, 10, 49].map(|n| terms.int(n));
    let product = terms.mul(x, x);
    let written = terms.store(a, x, y);
    let read = terms.select(written, seven);
    let rest = terms.modulo(y, ten);
    let applied = terms.apply(&f, &[x]);
    let applied_again = terms.apply(&f, &[seven]);
    let three = terms.bv(3u32, 16);
    let triple = terms.bv_mul(b, three);
    let twelve = terms.bv(12u32, 16);
    let facts = [
        terms.eq(product, square),
        terms.lt(two, x),
        terms.eq(rest, two),
        terms.eq(applied, y),
        terms.eq(triple, twelve),
        terms.lt(y, square),
        terms.lt(ten, y),
    ];
    let possible = terms.and_all(facts);
    let differs = [terms.ne(read, y), terms.ne(applied_again, y)];
    let impossible: Vec<TermId> = differs.iter().map(|other| terms.and(possible, *other)).collect();
    let goals = [possible, impossible[0], impossible[1]]
        .into_iter()
        .map(|claim| Goal { name: "goal".into(), claim, wanted: vec![x, y, b] })
        .collect();
    Case { terms, goals }
}

fn outcomes(case: &Case, options: &Options) -> Vec<Outcome> {
    refute_all(&case.terms, &[], &case.goals, options, &AtomicBool::new(false))
        .into_iter()
        .map(|verdict| verdict.outcome)
        .collect()
}

fn answers_the_case(solver: Solver) {
    let case = case();
    let found = outcomes(&case, &Options { solvers: vec![solver], limits: limits(), ..Options::default() });
    let Outcome::Sat { values } = &found[0] else { panic!("{:?}", found[0]) };
    assert_eq!(values[0], Value::Int(7.into()));
    assert!(matches!(&values[1], Value::Int(y) if y % 10 == 2.into()), "{values:?}");
    assert_eq!(values[2], Value::BitVec(4u32.into(), 16));
    assert_eq!(found[1..], [Outcome::Unsat, Outcome::Unsat]);
}

#[test]
fn z3_answers() {
    answers_the_case(z3());
}

#[test]
fn cvc5_answers() {
    if let Some(solver) = installed("cvc5") {
        answers_the_case(solver);
    }
}

#[test]
fn yices_answers() {
    if let Some(solver) = installed("yices") {
        answers_the_case(solver);
    }
}

#[test]
fn all_agree() {
    let solvers: Vec<Solver> =
        [Some(z3()), installed("cvc5"), installed("yices")].into_iter().flatten().collect();
    let options = Options { solvers, limits: limits(), cross_check: true, ..Options::default() };
    let found = outcomes(&case(), &options);
    assert!(matches!(found[0], Outcome::Sat { .. }), "{found:?}");
    assert_eq!(found[1..], [Outcome::Unsat, Outcome::Unsat]);
}

/// A lambda and a conversion between integers and bit-vectors, in the words that the solver knows.
#[test]
fn cvc5_understands_lambdas_and_conversions() {
    let Some(cvc5) = installed("cvc5") else { return };
    let mut terms = Terms::new();
    let i = terms.fresh_bound("i", Sort::Int);
    let one = terms.int(1);
    let next = terms.add(i, one);
    let successor = terms.lambda(i, next);
    let a = terms.symbol("a", Sort::array(Sort::Int, Sort::Int));
    let same = terms.eq(a, successor);
    let b = terms.symbol("b", Sort::BitVec(8));
    let index = terms.bv_to_int(b);
    let element = terms.select(a, index);
    let wrong = terms.le(element, index);
    let mut session = Session::start(&cvc5, limits(), None);
    session.assert(&terms, same);
    session.assert(&terms, wrong);
    assert_eq!(session.check(), Answer::Unsat);
}
