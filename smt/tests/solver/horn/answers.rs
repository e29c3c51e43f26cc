//! Answers in the forms in which solvers print them.

use super::systems::{clause, mapping, two_counters, written_element};
use super::{GO_ON, limits, options};
use crate::common::fake;
use hornet_smt::solver::Reason;
use hornet_smt::solver::horn::{HornSolver, Model, Solution, System, check, solve};
use hornet_smt::term::{Sort, TermId, Terms};

/// A solver that prints this, whatever it is asked. Its script must be one that other solvers understand.
pub fn replay(name: &str, output: &str) -> HornSolver {
    let script = format!("grep -q 'set-option' \"$1\" && exit 7\ncat <<'END'\n{output}\nEND");
    HornSolver::Path(fake(name, &script).program)
}

fn model_of(name: &str, terms: &mut Terms, system: &System, output: &str) -> Option<Model> {
    match solve(terms, system, &replay(name, output), &[], limits(), &GO_ON) {
        Solution::Safe(model) => Some(model),
        Solution::Unsafe | Solution::Unknown(_) => None,
    }
}

/// Whether the printed definitions are read and satisfy the clauses.
fn accepted(name: &str, build: impl Fn(&mut Terms) -> System, output: &str) -> bool {
    let mut terms = Terms::new();
    let system = build(&mut terms);
    let model = model_of(name, &mut terms, &system, output).expect("readable");
    check(&mut terms, &system, &model, &options(), &GO_ON).is_ok()
}

fn counters(terms: &mut Terms) -> System {
    two_counters(terms, 20).0
}

#[test]
fn with_and_without_parentheses_around_all() {
    let body = "(and (= B (* 2 A)) (<= A 10))";
    let definition = format!("(define-fun p! ((A Int) (B Int)) Bool {body})");
    assert!(accepted("bare", counters, &format!("sat\n{definition}")));
    assert!(accepted("parens", counters, &format!("sat\n(\n  {definition}\n)")));
    assert!(accepted("model", counters, &format!("sat\n(model {definition})")));
    let quoted = definition.replace("p!", "|p!|");
    assert!(accepted("quoted", counters, &format!("sat\n({quoted})")));
}

#[test]
fn helpers_lets_and_quantifiers() {
    let output = "sat
        (
          (define-fun twice ((n Int)) Int (+ n n))
          (define-fun top () Int 10)
          (define-fun p! ((x!0 Int) (x!1 Int)) Bool
            (let ((a!1 (twice x!0)) (a!2 (>= x!0 (+ 1 top))))
              (and (not a!2) (let ((a!1 (= x!1 a!1))) a!1)
                   (forall ((k Int)) (! (=> (and (> k top) (< k 11)) false) :pattern ((twice k)))))))
        )";
    assert!(accepted("helpers", counters, output));
}

#[test]
fn arrays_as_spacer_prints_them() {
    let output = "sat
        ((define-fun p! ((A (Array Int Int)) (B Int)) Bool
           (let ((blank ((as const (Array Int Int)) 0)))
             (and (>= B 0)
                  (or (= A (store blank 0 (select A 0))) (= A blank))
                  (ite (= (select A 0) 0) true (not (<= (select A 0) (- 1))))))))";
    assert!(accepted("stores", written_element, output));
}

#[test]
fn bit_vectors_as_spacer_prints_them() {
    let even = "(= ((_ extract 0 0) A) #b0)";
    let other = "(= (bvurem (bvadd A (_ bv2 8)) #x02) #x00)";
    let output = format!("sat\n((define-fun p! ((A (_ BitVec 8))) Bool (and {even} {other})))");
    assert!(accepted("bits", |terms| super::systems::even_bits(terms, false), &output));
}

/// A definition is for its own predicate, however alike the names are.
#[test]
fn strange_names_come_back() {
    let build = |terms: &mut Terms, names: [&str; 2]| {
        let [p, q] = names.map(|name| terms.function(name, vec![Sort::Int, mapping()], Sort::Bool));
        let (x, a) = (terms.symbol("and", Sort::Int), terms.symbol("a b|c", mapping()));
        let zero = terms.int(0);
        let here: [TermId; 2] = [&p, &q].map(|predicate| terms.apply(predicate, &[x, a]));
        let (positive, negative) = (terms.lt(zero, x), terms.lt(x, zero));
        System {
            clauses: vec![
                clause("to p", &[positive], Some(here[0])),
                clause("to q", &[here[0]], Some(here[1])),
                clause("safe", &[here[1], negative], None),
            ],
        }
    };
    for names in [["a b", "a_b"], ["assert", "Bool"], ["x|y", "x\\y"], ["p!1", "p"], ["(", "ä"], ["?1", "@q"]]
    {
        for solver in [super::spacer(), super::worker()] {
            let mut terms = Terms::new();
            let system = build(&mut terms, names);
            let Solution::Safe(model) = solve(&mut terms, &system, &solver, &[], limits(), &GO_ON) else {
                panic!("{names:?} not safe")
            };
            assert!(check(&mut terms, &system, &model, &options(), &GO_ON).is_ok(), "{names:?}");
        }
    }
}

/// The solver may not choose what a function is that is no predicate, whatever its sort.
#[test]
fn unknown_functions_are_refused() {
    for (result, name) in [(Sort::Int, "f"), (Sort::Bool, "g")] {
        let mut terms = Terms::new();
        let f = terms.function(name, vec![Sort::Int], result.clone());
        let p = terms.function("p", vec![Sort::Int], Sort::Bool);
        let x = terms.symbol("x", Sort::Int);
        let zero = terms.int(0);
        let (value, here) = (terms.apply(&f, &[x]), terms.apply(&p, &[x]));
        let start = if result == Sort::Int { terms.eq(x, value) } else { terms.not(value) };
        let negative = terms.lt(x, zero);
        let system = System {
            clauses: vec![clause("start", &[start], Some(here)), clause("safe", &[here, negative], None)],
        };
        let solution = solve(&mut terms, &system, &super::spacer(), &[], limits(), &GO_ON);
        let expected = format!("`{name}`");
        assert!(matches!(solution, Solution::Unknown(Reason::GaveUp(why)) if why.contains(&expected)));
    }
}
