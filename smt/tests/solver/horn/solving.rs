//! Found invariants are read back and checked again, refutations are noticed, by whichever process solves.

use super::systems::{
    allowances, balances_below_maximum, even_bits, two_counters, wrapping_pair, written_element,
};
use super::{GO_ON, limits, options, portfolio, spacer, worker};
use hornet_smt::solver::Outcome;
use hornet_smt::solver::horn::{
    Definition, HornSolver, Model, PORTFOLIO, Solution, System, check, solve, solve_portfolio,
};
use hornet_smt::term::{Sort, Terms};

/// Solves, checks what was found, and says whether it was safe.
fn is_safe(terms: &mut Terms, system: &System, solver: &HornSolver) -> bool {
    match solve(terms, system, solver, PORTFOLIO[0].settings, limits(), &GO_ON) {
        Solution::Safe(model) => {
            let confirmed = check(terms, system, &model, &options(), &GO_ON).expect("confirmed");
            assert_eq!(confirmed.by, ["z3"]);
            true
        }
        Solution::Unsafe => false,
        Solution::Unknown(reason) => panic!("no answer: {reason}"),
    }
}

/// The program and the worker say the same.
fn agreed(build: impl Fn(&mut Terms) -> System) -> bool {
    let answers = [spacer(), worker()].map(|solver| {
        let mut terms = Terms::new();
        let system = build(&mut terms);
        is_safe(&mut terms, &system, &solver)
    });
    assert_eq!(answers[0], answers[1]);
    answers[0]
}

#[test]
fn integers() {
    assert!(agreed(|terms| two_counters(terms, 20).0));
    assert!(!agreed(|terms| two_counters(terms, 19).0));
}

#[test]
fn booleans_and_remainders() {
    assert!(agreed(wrapping_pair));
}

#[test]
fn arrays() {
    assert!(agreed(written_element));
}

#[test]
fn bit_vectors() {
    assert!(agreed(|terms| even_bits(terms, false)));
    assert!(!agreed(|terms| even_bits(terms, true)));
}

/// These need facts about all elements, which one of the configurations finds.
#[test]
fn facts_about_all_elements() {
    let systems: [fn(&mut Terms) -> System; 2] = [|terms| balances_below_maximum(terms, 0), allowances];
    for build in systems {
        let mut terms = Terms::new();
        let system = build(&mut terms);
        let Solution::Safe(model) = solve_portfolio(&mut terms, &system, &portfolio(), limits(), &GO_ON)
        else {
            panic!("not safe")
        };
        assert!(check(&mut terms, &system, &model, &options(), &GO_ON).is_ok());
    }
    let mut terms = Terms::new();
    let system = balances_below_maximum(&mut terms, -1);
    let solution = solve_portfolio(&mut terms, &system, &portfolio(), limits(), &GO_ON);
    assert!(matches!(solution, Solution::Unsafe));
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
    let refused = check(&mut terms, &system, &model, &options(), &GO_ON).expect_err("refused");
    assert_eq!(refused.clause, "step");
    assert!(matches!(refused.outcome, Outcome::Sat { .. }));
}

#[test]
fn nothing_is_confirmed_without_a_solver() {
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 20);
    let nobody = hornet_smt::solver::Options::default();
    assert!(check(&mut terms, &system, &Model::default(), &nobody, &GO_ON).is_err());
}
