//! Horn clauses: found invariants are read back and checked again, refutations are noticed.

use crate::common::z3;
use hornet_smt::solver::horn::{Clause, Definition, Model, Solution, System, check, solve};
use hornet_smt::solver::{Limits, Options};
use hornet_smt::term::{Function, Sort, TermId, Terms};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn limits() -> Limits {
    Limits { time: Duration::from_secs(60), ..Limits::default() }
}

fn options() -> Options {
    Options { solvers: vec![z3()], limits: limits(), ..Options::default() }
}

/// `x` and `y` start at zero and go up by one and two, until `x` is ten; `y` must then not be more than `bound`.
fn two_counters(terms: &mut Terms, bound: i32) -> (System, Arc<Function>) {
    let p = terms.function("p", vec![Sort::Int, Sort::Int], Sort::Bool);
    let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
    let zero = terms.int(0);
    let start = terms.apply(&p, &[zero, zero]);
    let here = terms.apply(&p, &[x, y]);
    let (one, two, ten, bound) = (terms.int(1), terms.int(2), terms.int(10), terms.int(bound));
    let (x_next, y_next) = (terms.add(x, one), terms.add(y, two));
    let next = terms.apply(&p, &[x_next, y_next]);
    let goes_on = terms.lt(x, ten);
    let too_much = terms.lt(bound, y);
    let clause =
        |name: &str, body: &[TermId], head| Clause { name: name.to_owned(), body: body.to_vec(), head };
    let clauses = vec![
        clause("start", &[], Some(start)),
        clause("step", &[here, goes_on], Some(next)),
        clause("safe", &[here, too_much], None),
    ];
    (System { clauses }, p)
}

#[test]
fn invariants_are_found_and_hold() {
    let mut terms = Terms::new();
    let (system, p) = two_counters(&mut terms, 20);
    let Solution::Safe(model) = solve(&mut terms, &system, &z3(), &[], limits(), &GO_ON) else {
        panic!("not safe")
    };
    assert_eq!(model.definitions.len(), 1);
    assert_eq!(model.definitions[0].predicate, p);
    assert_eq!(check(&mut terms, &system, &model, &options(), &GO_ON), Ok(()));
}

#[test]
fn a_refutation_is_one() {
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 19);
    assert!(matches!(solve(&mut terms, &system, &z3(), &[], limits(), &GO_ON), Solution::Unsafe));
}

#[test]
fn a_wrong_invariant_is_refused_by_name() {
    let mut terms = Terms::new();
    let (system, p) = two_counters(&mut terms, 20);
    let params = vec![terms.fresh_bound("a", Sort::Int), terms.fresh_bound("b", Sort::Int)];
    // Not kept by a step from x = 9.
    let nine = terms.int(9);
    let body = terms.le(params[0], nine);
    let model = Model { definitions: vec![Definition { predicate: p, params, body }] };
    assert_eq!(check(&mut terms, &system, &model, &options(), &GO_ON), Err("step".to_owned()));
}

/// The elements below `i` are zero: needs an array in the predicate.
#[test]
fn predicates_over_arrays() {
    let mut terms = Terms::new();
    let array = Sort::array(Sort::Int, Sort::Int);
    let p = terms.function("p", vec![array.clone(), Sort::Int], Sort::Bool);
    let (a, v) = (terms.symbol("a", array), terms.symbol("v", Sort::Int));
    let (zero, one) = (terms.int(0), terms.int(1));
    let blank = terms.const_array(Sort::Int, zero);
    let start = terms.apply(&p, &[blank, zero]);
    let here = terms.apply(&p, &[a, v]);
    let written = terms.store(a, zero, v);
    let v_next = terms.add(v, one);
    let next = terms.apply(&p, &[written, v_next]);
    let element = terms.select(a, zero);
    let negative = terms.lt(element, zero);
    let system = System {
        clauses: vec![
            Clause { name: "start".into(), body: vec![], head: Some(start) },
            Clause { name: "step".into(), body: vec![here], head: Some(next) },
            Clause { name: "safe".into(), body: vec![here, negative], head: None },
        ],
    };
    let Solution::Safe(model) = solve(&mut terms, &system, &z3(), &[], limits(), &GO_ON) else {
        panic!("not safe")
    };
    assert_eq!(check(&mut terms, &system, &model, &options(), &GO_ON), Ok(()));
}
