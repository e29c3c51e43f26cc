//! What a term is worth before and after simplification.

use super::super::value::same_value;
use super::super::{Dialect, Op, Printer, Sort, TermId, Terms, Value};
use super::random::{Generator, Pair};
use super::z3_session;
use crate::solver::{Answer, Limits, Session, Solver, SolverKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Duration;

fn evaluate(terms: &Terms, term: TermId, assignment: &FxHashMap<Arc<str>, Value>) -> Option<Value> {
    terms.evaluate(term, &|op, _| match op {
        Op::Symbol(name) => assignment.get(name).cloned(),
        _ => None,
    })
}

/// A value for every constant in the arena.
fn assignment(generator: &mut Generator) -> FxHashMap<Arc<str>, Value> {
    let symbols: Vec<(Arc<str>, Sort)> = (0..generator.terms.len())
        .filter_map(|index| {
            let node = generator.terms.get(TermId(index as u32));
            match &node.op {
                Op::Symbol(name) => Some((name.clone(), node.sort.clone())),
                _ => None,
            }
        })
        .collect();
    symbols.into_iter().map(|(name, sort)| (name, generator.value(&sort))).collect()
}

#[test]
fn simplified_terms_have_the_same_value() {
    let mut compared = 0;
    for seed in 0..20_000 {
        let mut generator = Generator::new(seed);
        let sort = generator.sort();
        let Pair { raw, simple } = generator.term(&sort, 5);
        for _ in 0..3 {
            let values = assignment(&mut generator);
            let Some(before) = evaluate(&generator.terms, raw, &values) else { continue };
            let after = evaluate(&generator.terms, simple, &values);
            let same = after.as_ref().is_some_and(|after| same_value(&before, after, &sort));
            assert!(same, "seed {seed}: {before:?} became {after:?}\n{}", show(&generator.terms, raw));
            compared += 1;
        }
    }
    assert!(compared > 20_000, "only {compared} terms had a value");
}

/// Few variables under many binders: an element of a lambda often has to rename what the lambda binds inside.
#[test]
fn binders_keep_their_variables_apart() {
    let mut compared = 0;
    for seed in 0..4_000 {
        let mut generator = Generator::new(seed);
        generator.binders = true;
        let Pair { raw, simple } = generator.term(&Sort::Bool, 7);
        let values = assignment(&mut generator);
        let Some(before) = evaluate(&generator.terms, raw, &values) else { continue };
        let after = evaluate(&generator.terms, simple, &values);
        assert_eq!(Some(before), after, "seed {seed}\n{}", show(&generator.terms, raw));
        compared += 1;
    }
    assert!(compared > 2_000, "only {compared} terms had a value");
}

#[test]
fn replacing_a_constant_is_giving_it_that_value() {
    let mut compared = 0;
    for seed in 0..10_000 {
        let mut generator = Generator::new(seed);
        let sort = generator.sort();
        let Pair { simple: term, .. } = generator.term(&sort, 5);
        let replaced_sort = generator.sort();
        let name = format!("{replaced_sort}0");
        let replaced = generator.terms.symbol(&name, replaced_sort.clone());
        let Pair { simple: by, .. } = generator.term(&replaced_sort, 3);
        let result = generator.terms.replace(term, replaced, by);
        let mut values = assignment(&mut generator);
        let Some(after) = evaluate(&generator.terms, result, &values) else { continue };
        let Some(value) = evaluate(&generator.terms, by, &values) else { continue };
        values.insert(name.as_str().into(), value);
        let Some(before) = evaluate(&generator.terms, term, &values) else { continue };
        assert!(same_value(&before, &after, &sort), "seed {seed}\n{}", show(&generator.terms, term));
        compared += 1;
    }
    assert!(compared > 4_000, "only {compared} terms had a value");
}

/// Also a test of the printer and of the evaluator's idea of each operation: z3 gets both forms as they are.
#[test]
fn z3_agrees_that_nothing_changed() {
    let (proved, open) = compare_forms(z3_session(Duration::from_millis(1000)), 600);
    assert!(proved > 150 && open * 5 < proved, "{proved} proved, {open} open");
}

/// The same in the language of solvers without lambdas, where an axiom may leave the question open.
#[test]
fn z3_agrees_in_standard_language() {
    let mut solver = Solver::find("z3", None).expect("set-up unpacks z3");
    solver.kind = SolverKind::Other;
    let limits = Limits { time: Duration::from_millis(1000), memory_mb: 1024 };
    let (proved, open) = compare_forms(Session::start(&solver, limits, None), 300);
    assert!(proved > 75 && open * 3 < proved, "{proved} proved, {open} open");
}

/// How many random terms are proved equal to their simplified form, and how many are left open.
fn compare_forms(mut session: Session, seeds: u64) -> (u32, u32) {
    let (mut proved, mut open) = (0, 0);
    for seed in 0..seeds {
        let mut generator = Generator::new(seed);
        generator.nonlinear = false;
        let sort = generator.sort();
        let Pair { raw, simple } = generator.term(&sort, 4);
        let same = generator.terms.intern(Op::Eq, [raw, simple], Sort::Bool);
        let differs = generator.terms.intern(Op::Not, [same], Sort::Bool);
        if raw == simple {
            continue;
        }
        // Arenas differ, but every level is forgotten before the next arena comes.
        session.push();
        session.assert(&generator.terms, differs);
        match session.check() {
            Answer::Unsat => proved += 1,
            Answer::Sat => {
                panic!("seed {seed}\n{}\n{}", show(&generator.terms, raw), show(&generator.terms, simple))
            }
            Answer::Unknown(reason) => {
                assert!(!reason.to_string().contains("error"), "seed {seed}: {reason}");
                open += 1;
            }
        }
        session.pop();
    }
    (proved, open)
}

/// The printer writes terms of any sort; only a solver would mind.
fn show(terms: &Terms, term: TermId) -> String {
    Printer::new(Dialect::Z3).assert(terms, term).join("\n")
}
