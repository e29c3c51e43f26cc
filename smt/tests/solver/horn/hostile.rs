//! Solvers that lie, babble or break: never a proof, never a crash of ours.

use super::answers::replay;
use super::systems::two_counters;
use super::{GO_ON, limits, options};
use crate::common::fake;
use hornet_smt::solver::Reason;
use hornet_smt::solver::horn::{HornSolver, Solution, check, solve};
use hornet_smt::term::Terms;

fn answer(name: &str, output: &str) -> Solution {
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 20);
    solve(&mut terms, &system, &replay(name, output), &[], limits(), &GO_ON)
}

fn sat_with(name: &str, body: &str) -> Solution {
    answer(name, &format!("sat\n((define-fun p! ((A Int) (B Int)) Bool {body}))"))
}

#[test]
fn a_wrong_model_is_no_proof() {
    for (at, body) in
        ["true", "false", "(<= A 10)", "(= B (* 2 A))", "(exists ((k Int)) (= k A))"].iter().enumerate()
    {
        let mut terms = Terms::new();
        let (system, _) = two_counters(&mut terms, 20);
        let output = format!("sat\n((define-fun p! ((A Int) (B Int)) Bool {body}))");
        let solver = replay(&format!("wrong{at}"), &output);
        let Solution::Safe(model) = solve(&mut terms, &system, &solver, &[], limits(), &GO_ON) else {
            panic!("{body} is readable")
        };
        assert!(check(&mut terms, &system, &model, &options(), &GO_ON).is_err(), "{body}");
    }
}

#[test]
fn models_of_wrong_sorts_are_not_read() {
    let deep = "(not ".repeat(3000) + "true" + &")".repeat(3000);
    let doubled: String = (0..60).map(|n| format!("(let ((v{} (* v{n} v{n}))) ", n + 1)).collect();
    let huge = format!("(let ((v0 12345678901234567890)) {doubled} (= v60 A){}", ")".repeat(61));
    let bodies = [
        "(+ A B)",
        "(and A B)",
        "(select A B)",
        "(store A B A)",
        "(ite A B B)",
        "(= A true)",
        "(not A)",
        "(- A true)",
        "(bvadd A B)",
        "((_ extract 3 0) A)",
        "((_ extract 0 9) #b1)",
        "((_ zero_extend 4000000000) #b1)",
        "((as const (Array Int Bool)) A)",
        "((as const Int) A)",
        "(forall ((k Int)) k)",
        "(forall ((k Real)) true)",
        "(let ((x)) true)",
        "(unknown A B)",
        "unknown",
        "#x",
        "#q1",
        "-1",
        "(p! A B)",
        "\"true\"",
        "()",
        "(())",
        "1.5",
        &deep,
        &huge,
    ];
    for (at, body) in bodies.iter().enumerate() {
        let solution = sat_with(&format!("sorts{at}"), body);
        assert!(matches!(solution, Solution::Unknown(Reason::GaveUp(_))), "{body}: {solution:?}");
    }
}

#[test]
fn incomplete_models_are_not_read() {
    let outputs = [
        "sat",
        "sat ()",
        "sat (model)",
        "sat ((define-fun q! ((A Int) (B Int)) Bool true))",
        "sat ((define-fun p! ((A Int)) Bool true))",
        "sat ((define-fun p! ((A Int) (B Bool)) Bool true))",
        "sat ((define-fun p! ((A Int) (B Int)) Int 1))",
        "sat ((define-fun p! ((A Int) (B Int)) Bool true)",
        "sat ((define-fun p! ((A Int) (B Int)) Bool true) (define-fun p! ((A Int) (B Int)) Bool false))",
        "sat ((define-fun p! ((A Int) (B Int)) Bool (h A)) (define-fun h ((A Int)) Bool (h A)))",
        "sat (error \"no model\")",
    ];
    for (at, output) in outputs.iter().enumerate() {
        let solution = answer(&format!("incomplete{at}"), output);
        assert!(matches!(solution, Solution::Unknown(Reason::GaveUp(_))), "{output}: {solution:?}");
    }
}

#[test]
fn what_is_no_answer_is_none() {
    for (at, output) in
        ["", "unknown", "hello", "(sat)", "(error \"bad\")\nsat\n", "success\nunsat"].iter().enumerate()
    {
        let solution = answer(&format!("babble{at}"), output);
        assert!(matches!(solution, Solution::Unknown(Reason::GaveUp(_))), "{output}: {solution:?}");
    }
}

#[test]
fn deaths_are_noticed() {
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 20);
    let mut solve_with = |name: &str, script: &str| {
        let solver = HornSolver::Path(fake(name, script).program);
        match solve(&mut terms, &system, &solver, &[], limits(), &GO_ON) {
            Solution::Unknown(reason) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(solve_with("dies", "kill -9 $$"), Reason::Crashed("signal 9".into()));
    assert_eq!(solve_with("fails", "exit 3"), Reason::Crashed("exit code 3".into()));
    assert_eq!(solve_with("starved", "exit 101"), Reason::Memory);
    assert!(matches!(solve_with("bytes", "head -c 4096 /dev/urandom"), Reason::GaveUp(_)));
    let missing = HornSolver::Path("/nowhere/golem".into());
    let solution = solve(&mut terms, &system, &missing, &[], limits(), &GO_ON);
    assert!(matches!(solution, Solution::Unknown(Reason::Crashed(_))));
}
