//! Certificates, second opinions, and invariants without what is not needed.

use super::systems::{balances_below_maximum, clause, two_counters, wrapping_pair, written_element};
use super::{GO_ON, limits, options, portfolio, spacer};
use crate::common::{fake, z3};
use hornet_smt::solver::horn::{
    Definition, Model, NotVerified, Proof, Solution, System, check, prove, simplify_model, solve,
    verify_certificate, write_certificate,
};
use hornet_smt::solver::{Options, Outcome, Reason};
use hornet_smt::term::{Sort, Terms};
use std::path::PathBuf;

fn folder(test: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test)
}

#[test]
fn certificates_are_checked_by_z3_alone() {
    let systems: [fn(&mut Terms) -> System; 4] = [
        |terms| two_counters(terms, 20).0,
        |terms| balances_below_maximum(terms, 0),
        wrapping_pair,
        written_element,
    ];
    for (at, build) in systems.into_iter().enumerate() {
        let mut terms = Terms::new();
        let system = build(&mut terms);
        let Proof::Safe { model, confirmed } =
            prove(&mut terms, &system, &portfolio(), limits(), &options(), &GO_ON)
        else {
            panic!("not safe: {at}")
        };
        assert_eq!(confirmed.by, ["z3"]);
        let name = format!("../C.f, line {at}\n(assert false)");
        let path =
            write_certificate(&folder("certificates"), &name, &mut terms, &system, &model).expect("written");
        assert_eq!(path.parent(), Some(folder("certificates").as_path()));
        assert_eq!(verify_certificate(&path, &z3(), limits(), &GO_ON), Ok(system.clauses.len()));
        let plain = std::process::Command::new(z3().program).arg(&path).output().expect("z3 runs");
        assert_eq!(String::from_utf8_lossy(&plain.stdout), "unsat\n".repeat(system.clauses.len()));
    }
}

/// The name of a clause or predicate is no way to smuggle commands in.
#[test]
fn names_in_certificates_are_harmless() {
    let mut terms = Terms::new();
    let p = terms.function("p) (assert false) |", vec![Sort::Int], Sort::Bool);
    let x = terms.symbol("x| (assert false)\n", Sort::Int);
    let here = terms.apply(&p, &[x]);
    let name = "\n(assert false)\r(assert false)\u{2028}(assert false)";
    let system = System { clauses: vec![clause(name, &[], Some(here)), clause(name, &[here], None)] };
    let params = vec![terms.fresh_bound("|) (assert false)", Sort::Int)];
    let body = terms.bool(true);
    let model = Model { definitions: vec![Definition { predicate: p, params, body }] };
    let path = write_certificate(&folder("names"), name, &mut terms, &system, &model).expect("written");
    let refused = NotVerified::Answered { question: 2, answer: "sat".into() };
    assert_eq!(verify_certificate(&path, &z3(), limits(), &GO_ON), Err(refused));
}

#[test]
fn wrong_and_broken_certificates_are_not_verified() {
    let mut terms = Terms::new();
    let (system, p) = two_counters(&mut terms, 20);
    let params = vec![terms.fresh_bound("a", Sort::Int), terms.fresh_bound("b", Sort::Int)];
    let body = terms.bool(true);
    let model = Model { definitions: vec![Definition { predicate: p, params, body }] };
    let path = write_certificate(&folder("wrong"), "wrong", &mut terms, &system, &model).expect("written");
    let sat = NotVerified::Answered { question: 3, answer: "sat".into() };
    assert_eq!(verify_certificate(&path, &z3(), limits(), &GO_ON), Err(sat));

    let verify = |text: &str| {
        let path = folder("wrong").join("broken.smt2");
        std::fs::write(&path, text).expect("written");
        verify_certificate(&path, &z3(), limits(), &GO_ON)
    };
    assert!(matches!(verify(""), Err(NotVerified::Unreadable(_))));
    assert!(matches!(verify("(check-sat"), Err(NotVerified::Unreadable(_))));
    assert!(matches!(verify("(assert unknown)(check-sat)"), Err(NotVerified::Answered { question: 1, .. })));
    assert!(matches!(verify("(assert false)(check-sat)(exit)(check-sat)"), Err(NotVerified::Unfinished(_))));
    assert_eq!(verify("(assert false)(check-sat)"), Ok(1));
    let missing = verify_certificate(&folder("wrong").join("missing"), &z3(), limits(), &GO_ON);
    assert!(matches!(missing, Err(NotVerified::Unreadable(_))));
    let babbler = fake("babbler", "cat > /dev/null; echo unsat; echo unsat");
    assert!(matches!(verify_certificate(&path, &babbler, limits(), &GO_ON), Err(NotVerified::Unfinished(_))));
}

#[test]
fn a_second_solver_may_not_disagree() {
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 20);
    let Solution::Safe(model) = solve(&mut terms, &system, &spacer(), &[], limits(), &GO_ON) else {
        panic!("not safe")
    };
    let answering = |name: &str, answer: &str| {
        let script = format!(
            "while read -r line; do case \"$line\" in *check-sat*) echo {answer};; *reason*) echo '(:reason-unknown no)';; *) echo success;; esac; done"
        );
        Options { solvers: vec![z3(), fake(name, &script)], ..options() }
    };
    let mut ask = |options: &Options| check(&mut terms, &system, &model, options, &GO_ON);
    assert_eq!(ask(&answering("agrees", "unsat")).expect("confirmed").by, ["z3", "agrees"]);
    assert_eq!(ask(&answering("hesitates", "unknown")).expect("confirmed").by, ["z3"]);
    let refused = ask(&answering("objects", "sat")).expect_err("refused");
    assert_eq!(refused.outcome, Outcome::Contradiction { unsat: "z3".into(), sat: "objects".into() });
    assert_eq!(refused.to_string(), "z3 and objects disagree about clause `start`");
}

/// A solver that lies all the time proves nothing.
#[test]
fn lies_are_not_proofs() {
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 19);
    let output = "sat\n((define-fun p! ((A Int) (B Int)) Bool (<= B 19)))";
    let mut liars = portfolio();
    liars.solvers = vec![super::answers::replay("liar", output)];
    let proof = prove(&mut terms, &system, &liars, limits(), &options(), &GO_ON);
    assert!(matches!(&proof, Proof::Unknown(Reason::GaveUp(why)) if why.contains("`step`")), "{proof:?}");
}

#[test]
fn invariants_lose_what_is_not_needed() {
    let mut terms = Terms::new();
    let (system, p) = two_counters(&mut terms, 20);
    let params = vec![terms.fresh_bound("a", Sort::Int), terms.fresh_bound("b", Sort::Int)];
    let &[a, b] = params.as_slice() else { panic!("two") };
    let (zero, ten, twenty, thirty) = (terms.int(0), terms.int(10), terms.int(20), terms.int(30));
    let twice = terms.add(a, a);
    let needed = [terms.le(b, twice), terms.le(a, ten)];
    let more = [terms.le(zero, a), terms.le(zero, b), terms.le(b, twenty), terms.lt(a, thirty)];
    let (first, second) = (terms.and_all(more), terms.and_all(needed));
    let body = terms.and(first, second);
    let model = Model { definitions: vec![Definition { predicate: p, params, body }] };
    assert!(check(&mut terms, &system, &model, &options(), &GO_ON).is_ok());
    let shorter = simplify_model(&mut terms, &system, &model, &z3(), limits(), &GO_ON);
    assert!(check(&mut terms, &system, &shorter, &options(), &GO_ON).is_ok());
    let expected = terms.and_all(needed);
    let left = terms.args(shorter.definitions[0].body);
    assert!(left.len() == 2 && left.iter().all(|part| terms.args(expected).contains(part)), "{left:?}");
}
