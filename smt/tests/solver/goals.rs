//! `refute_all` with one solver and with several.

use crate::common::{fake, hard, kill, private_z3, running, wait_for, z3};
use hornet_smt::solver::{Goal, Limits, Options, Outcome, Reason, Solver, refute_all, warm_up};
use hornet_smt::store::Store;
use hornet_smt::term::{Sort, TermId, Terms, Value};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn options(solvers: Vec<Solver>) -> Options {
    let limits = Limits { time: Duration::from_secs(5), memory_mb: 1024 };
    Options { solvers, limits, ..Options::default() }
}

/// A solver that answers every check in the same way.
fn parrot(answer: &str) -> Solver {
    let script = format!(
        "while read -r line; do case $line in *check-sat*) echo {answer};; *) echo success;; esac; done"
    );
    fake(&format!("always-{answer}"), &script)
}

struct Case {
    terms: Terms,
    background: Vec<TermId>,
    goals: Vec<Goal>,
}

/// Under `0 <= x < 10`: `x = 7` (possible), `x = 12` (impossible), `x * x = 50` (impossible).
fn case() -> Case {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Int);
    let numbers: Vec<TermId> = [0, 10, 7, 12, 50].into_iter().map(|n| terms.int(n)).collect();
    let background = vec![terms.le(numbers[0], x), terms.lt(x, numbers[1])];
    let square = terms.mul(x, x);
    let claims = [terms.eq(x, numbers[2]), terms.eq(x, numbers[3]), terms.eq(square, numbers[4])];
    let goals = claims
        .iter()
        .enumerate()
        .map(|(n, claim)| Goal { name: format!("claim {n}/x"), claim: *claim, wanted: vec![x, square] })
        .collect();
    Case { terms, background, goals }
}

fn outcomes(case: &Case, options: &Options) -> Vec<Outcome> {
    let never = AtomicBool::new(false);
    refute_all(&case.terms, &case.background, &case.goals, options, &never)
        .into_iter()
        .map(|verdict| verdict.outcome)
        .collect()
}

fn expected() -> Vec<Outcome> {
    let values = vec![Value::Int(7.into()), Value::Int(49.into())];
    vec![Outcome::Sat { values }, Outcome::Unsat, Outcome::Unsat]
}

#[test]
fn goals_share_their_background() {
    assert_eq!(outcomes(&case(), &options(vec![z3()])), expected());
}

#[test]
fn the_first_certain_answer_wins() {
    let mut case = case();
    case.goals.truncate(2);
    // One that knows nothing does not hold up the other.
    let mut expected = expected();
    expected.truncate(2);
    assert_eq!(outcomes(&case, &options(vec![parrot("unknown"), z3()])), expected);
}

#[test]
fn solvers_that_disagree_are_reported() {
    let liar = Options { cross_check: true, ..options(vec![z3(), parrot("unsat")]) };
    let outcomes = outcomes(&case(), &liar);
    assert_eq!(outcomes[0], Outcome::Contradiction { unsat: "always-unsat".into(), sat: "z3".into() });
    assert_eq!(outcomes[1..], expected()[1..]);
}

#[test]
fn nothing_runs_after_stop() {
    let stop = AtomicBool::new(true);
    let case = case();
    let verdicts = refute_all(&case.terms, &case.background, &case.goals, &options(vec![z3()]), &stop);
    assert!(verdicts.iter().all(|verdict| verdict.outcome == Outcome::Unknown(Reason::Stopped)));
}

#[test]
fn no_solver_is_no_answer() {
    let outcomes = outcomes(&case(), &options(Vec::new()));
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Unknown(Reason::GaveUp(_)))));
}

#[test]
fn written_scripts_give_the_same_answers() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("scripts");
    let _ = std::fs::remove_dir_all(&folder);
    let case = case();
    let options = Options { dump: Some(folder.clone()), ..options(vec![z3()]) };
    assert_eq!(outcomes(&case, &options), expected());
    for (n, answer) in ["sat", "unsat", "unsat"].into_iter().enumerate() {
        let file = folder.join(format!("claim_{n}_x.smt2"));
        let output = Command::new(z3().program).arg(&file).output().expect("z3 runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), answer, "{}", file.display());
        let text = std::fs::read_to_string(&file).expect("script");
        assert!(text.starts_with(&format!("; claim {n}/x\n")), "{text}");
    }
}

#[test]
fn processes_are_used_again() {
    let solver = private_z3("pool");
    let options = options(vec![solver.clone()]);
    assert_eq!(outcomes(&case(), &options), expected());
    let first = wait_for(&solver.program, 1);
    assert_eq!(outcomes(&case(), &options), expected());
    assert_eq!(running(&solver.program), first);
    // One that died while it was idle is replaced.
    kill(first[0], libc::SIGKILL);
    wait_for(&solver.program, 0);
    assert_eq!(outcomes(&case(), &options), expected());
    let second = wait_for(&solver.program, 1);
    assert_ne!(first, second);
    // A fresh one is not kept.
    let fresh = Options { fresh: true, ..options };
    assert_eq!(outcomes(&case(), &fresh), expected());
    assert_eq!(running(&solver.program), second);
}

#[test]
fn many_threads_may_ask_at_once() {
    let options = options(vec![z3()]);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(outcomes(&case(), &options), expected());
                }
            });
        }
    });
}

#[test]
fn a_process_can_be_started_ahead() {
    let solver = private_z3("warm");
    let options = options(vec![solver.clone()]);
    warm_up(&solver, options.limits);
    assert_eq!(outcomes(&case(), &options), expected());
    // Whether the question came before or after the process was there, it went to that process.
    assert_eq!(running(&solver.program).len(), 1);
}

#[test]
fn a_hard_goal_takes_its_time_and_no_more() {
    let solver = private_z3("hard goal");
    let mut case = case();
    let hard = hard(&mut case.terms);
    case.goals.insert(1, Goal { name: "hard".into(), claim: hard, wanted: Vec::new() });
    let mut options = options(vec![solver.clone()]);
    options.limits.time = Duration::from_millis(600);
    let start = Instant::now();
    let found = outcomes(&case, &options);
    let took = start.elapsed();
    assert!(took < Duration::from_millis(2500), "{took:?}");
    let mut all = expected();
    all.insert(1, Outcome::Unknown(Reason::TimeOut));
    assert_eq!(found, all);
    assert!(running(&solver.program).len() <= 1, "only an idle one may be left");
}

#[test]
fn what_was_certain_is_remembered() {
    let folder = std::env::temp_dir().join(format!("hornet-recall-{}", std::process::id()));
    let with = |solver| Options { memory: Some(Store::new(folder.clone(), "1")), ..options(vec![solver]) };
    let unknown = |outcome: &Outcome| matches!(outcome, Outcome::Unknown(_));
    assert_eq!(outcomes(&case(), &with(z3())), expected());
    // Whoever is asked now knows nothing: models are not remembered, refutations are.
    let again = outcomes(&case(), &with(parrot("unknown")));
    assert!(unknown(&again[0]), "{again:?}");
    assert_eq!(again[1..], expected()[1..]);
    let fresh = Options { fresh: true, ..with(parrot("unknown")) };
    assert!(outcomes(&case(), &fresh).iter().all(unknown));
    let other = Options { memory: Some(Store::new(folder.clone(), "2")), ..with(parrot("unknown")) };
    assert!(outcomes(&case(), &other).iter().all(unknown));
    std::fs::remove_dir_all(&folder).unwrap();
}
