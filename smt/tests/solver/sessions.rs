//! Conversations with a real z3, and their ends.

use crate::common::{fake, hard, kill, private_z3, running, wait_for, z3};
use hornet_smt::solver::{Answer, CONVERSATION_ARGUMENT, Limits, Reason, Session, Solver, SolverKind};
use hornet_smt::term::{Sort, Terms, Value};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn limits(time_ms: u64) -> Limits {
    Limits { time: Duration::from_millis(time_ms), memory_mb: 1024 }
}

#[test]
fn sat_unsat_and_levels() {
    let mut terms = Terms::new();
    let x = terms.symbol("select", Sort::Int);
    let three = terms.int(3);
    let four = terms.int(4);
    let low = terms.lt(three, x);
    let high = terms.lt(x, four);
    let mut session = Session::start(&z3(), limits(5000), None);
    session.assert(&terms, low);
    session.push();
    session.assert(&terms, high);
    assert_eq!(session.check(), Answer::Unsat);
    session.pop();
    assert_eq!(session.check(), Answer::Sat);
    let values = session.values(&terms, &[x, low, three]).expect("model");
    assert!(values[0].as_int().is_some_and(|x| *x > 3.into()));
    assert_eq!(values[1..], [Value::Bool(true), Value::Int(3.into())]);
}

#[test]
fn definitions_of_a_level_are_forgotten_with_it() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Int);
    let y = terms.symbol("y", Sort::Int);
    let product = terms.mul(x, y);
    let ten = terms.int(10);
    let twice = terms.modulo(product, ten);
    let sum = terms.add(product, twice);
    let target = terms.int(34);
    let claim = terms.eq(sum, target);
    let mut session = Session::start(&z3(), limits(5000), None);
    for _ in 0..2 {
        session.push();
        session.assert(&terms, claim);
        assert_eq!(session.check(), Answer::Sat);
        session.pop();
    }
    session.assert(&terms, claim);
    assert_eq!(session.check(), Answer::Sat);
}

#[test]
fn models_have_arrays_and_bit_vectors() {
    let mut terms = Terms::new();
    let words = terms.symbol("words", Sort::array(Sort::Int, Sort::BitVec(8)));
    let nested = terms.symbol("nested", Sort::array(Sort::BitVec(8), Sort::array(Sort::Int, Sort::Int)));
    let (three, five) = (terms.int(3), terms.int(-5));
    let byte = terms.bv(0x2au32, 8);
    let other = terms.bv(0x17u32, 8);
    let at_three = terms.select(words, three);
    let at_five = terms.select(words, five);
    let row = terms.select(nested, byte);
    let cell = terms.select(row, five);
    let other_row = terms.select(nested, other);
    let other_cell = terms.select(other_row, five);
    let facts = [
        terms.eq(at_three, byte),
        terms.eq(at_five, other),
        terms.eq(cell, three),
        terms.eq(other_cell, five),
    ];
    let mut session = Session::start(&z3(), limits(5000), None);
    for fact in facts {
        session.assert(&terms, fact);
    }
    let never_used = terms.symbol("never used", Sort::array(Sort::Int, Sort::Bool));
    assert_eq!(session.check(), Answer::Sat);
    let values = session.values(&terms, &[words, nested, at_three, never_used]).expect("model");
    let table = values[0].as_array().expect("a table");
    assert_eq!(*table.get(&Value::Int(3.into())), Value::BitVec(0x2au32.into(), 8));
    assert_eq!(*table.get(&Value::Int((-5).into())), Value::BitVec(0x17u32.into(), 8));
    let rows = values[1].as_array().expect("a table");
    let row = rows.get(&Value::BitVec(0x2au32.into(), 8)).as_array().expect("a row");
    assert_eq!(*row.get(&Value::Int((-5).into())), Value::Int(3.into()));
    assert_eq!(values[2], Value::BitVec(0x2au32.into(), 8));
    assert_eq!(values[3], Value::array(Value::Bool(false)));
}

/// Large models come with `let` in them.
#[test]
fn large_tables_are_read() {
    let mut terms = Terms::new();
    let words = terms.symbol("words", Sort::array(Sort::Int, Sort::array(Sort::Int, Sort::Int)));
    let mut session = Session::start(&z3(), limits(20_000), None);
    for n in 0..60_i64 {
        let (at, inner, value) = (terms.int(n / 8), terms.int(-n), terms.int(n * n - 900));
        let row = terms.select(words, at);
        let element = terms.select(row, inner);
        let fact = terms.eq(element, value);
        session.assert(&terms, fact);
    }
    assert_eq!(session.check(), Answer::Sat);
    let values = session.values(&terms, &[words]).expect("model");
    let table = values[0].as_array().expect("a table");
    for n in 0..60_i64 {
        let row = table.get(&Value::Int((n / 8).into())).as_array().expect("a row");
        assert_eq!(*row.get(&Value::Int((-n).into())), Value::Int((n * n - 900).into()));
    }
}

#[test]
fn lambdas_are_arrays_and_a_value_that_is_no_table_says_so() {
    let mut terms = Terms::new();
    let i = terms.fresh_bound("i", Sort::Int);
    let one = terms.int(1);
    let next = terms.add(i, one);
    let successor = terms.lambda(i, next);
    let a = terms.symbol("a", Sort::array(Sort::Int, Sort::Int));
    let same = terms.eq(a, successor);
    let seven = terms.int(7);
    let element = terms.select(a, seven);
    let mut session = Session::start(&z3(), limits(5000), None);
    session.assert(&terms, same);
    assert_eq!(session.check(), Answer::Sat);
    let values = session.values(&terms, &[element, a]).expect("model");
    assert_eq!(values[0], Value::Int(8.into()));
    assert!(matches!(&values[1], Value::Opaque(_)), "{:?}", values[1]);
}

#[test]
fn unknown_has_a_reason() {
    let mut terms = Terms::new();
    let array = Sort::array(Sort::Int, Sort::Int);
    let a = terms.symbol("a", array);
    let (i, j) = (terms.fresh_bound("i", Sort::Int), terms.fresh_bound("j", Sort::Int));
    let at_i = terms.select(a, i);
    let at_j = terms.select(a, j);
    let product = terms.mul(at_i, at_j);
    let smaller = terms.lt(i, product);
    let below = terms.lt(product, j);
    let either = terms.or(smaller, below);
    let everywhere = terms.forall(&[i, j], either);
    let mut session = Session::start(&z3(), limits(1500), None);
    session.assert(&terms, everywhere);
    match session.check() {
        Answer::Unknown(Reason::GaveUp(_) | Reason::TimeOut) | Answer::Sat => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn time_is_up_when_it_is_up() {
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let solver = private_z3("time");
    let mut session = Session::start(&solver, limits(300), None);
    session.assert(&terms, hard);
    let start = Instant::now();
    assert_eq!(session.check(), Answer::Unknown(Reason::TimeOut));
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(250) && took < Duration::from_millis(1500), "{took:?}");
    drop(session);
    assert_eq!(running(&solver.program), []);
}

#[test]
fn a_solver_that_ignores_its_clock_is_killed() {
    let solver = fake(
        "deaf",
        "while read -r line; do case $line in *check-sat*) sleep 60;; *) echo success;; esac; done",
    );
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bool);
    let mut session = Session::start(&solver, limits(200), None);
    session.assert(&terms, x);
    let start = Instant::now();
    assert_eq!(session.check(), Answer::Unknown(Reason::TimeOut));
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    assert!(!session.is_running());
}

#[test]
fn a_flag_stops_a_check() {
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let mut session = Session::start(&z3(), limits(60_000), None);
    session.assert(&terms, hard);
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            stop.store(true, Ordering::Relaxed);
        });
        session.check_within(Duration::from_secs(60), &[&stop])
    });
    assert_eq!(answer, Answer::Unknown(Reason::Stopped));
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[test]
fn memory_is_limited() {
    let mut terms = Terms::new();
    // A wide multiplier is far larger than what is allowed.
    let width = 2048;
    let (x, y) = (terms.symbol("x", Sort::BitVec(width)), terms.symbol("y", Sort::BitVec(width)));
    let product = terms.bv_mul(x, y);
    let target = terms.bv(35u32, width);
    let quotient = terms.bv_udiv(target, x);
    let claims = [terms.eq(product, target), terms.ne(quotient, y)];
    let limits = Limits { time: Duration::from_secs(60), memory_mb: 100 };
    let mut session = Session::start(&z3(), limits, None);
    for claim in claims {
        session.assert(&terms, claim);
    }
    let start = Instant::now();
    assert_eq!(session.check(), Answer::Unknown(Reason::Memory));
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_solver_without_a_limit_of_its_own_cannot_have_more_memory() {
    let hungry = "data=x; while :; do data=$data$data; done";
    let solver = fake("hungry", &format!("read -r a; echo success; {hungry}"));
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bool);
    let mut session = Session::start(&solver, Limits { time: Duration::from_secs(20), memory_mb: 200 }, None);
    session.assert(&terms, x);
    let start = Instant::now();
    let answer = session.check();
    assert!(matches!(answer, Answer::Unknown(Reason::Crashed(_) | Reason::Memory)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[test]
fn a_killed_solver_is_reported_and_started_again() {
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let easy = terms.symbol("easy", Sort::Bool);
    let not_easy = terms.not(easy);
    let solver = private_z3("killed");
    let mut session = Session::start(&solver, limits(20_000), None);
    session.assert(&terms, easy);
    session.push();
    session.assert(&terms, hard);
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            let victim = wait_for(&solver.program, 1)[0];
            std::thread::sleep(Duration::from_millis(300));
            kill(victim, libc::SIGKILL);
        });
        session.check()
    });
    assert_eq!(answer, Answer::Unknown(Reason::Crashed("signal 9".into())));
    session.pop();
    assert_eq!(session.check(), Answer::Sat);
    session.assert(&terms, not_easy);
    assert_eq!(session.check(), Answer::Unsat);
    drop(session);
    assert_eq!(running(&solver.program), []);
}

#[test]
fn a_missing_solver_is_one_clear_error() {
    let missing = Path::new("/nowhere/z3");
    let error = Solver::find("z3", Some(missing)).expect_err("there is nothing");
    assert_eq!(error.to_string(), "solver `z3` not found; looked at /nowhere/z3");
    let error = Solver::find("no-such-solver", None).expect_err("there is nothing");
    assert!(error.looked_at.len() > 1 && error.to_string().contains("looked at"), "{error}");
    let gone = Solver::at("/nowhere/z3".into(), SolverKind::Z3);
    let mut session = Session::start(&gone, limits(1000), None);
    assert_eq!(session.check(), Answer::Unknown(Reason::Crashed("exit code 127".into())));
}

#[test]
fn what_a_solver_refuses_is_no_answer() {
    let solver = fake(
        "picky",
        "while read -r line; do case $line in *assert*) echo '(error \"no\")';; *check*) echo unsat;; *) echo success;; esac; done",
    );
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bool);
    let mut session = Session::start(&solver, limits(1000), None);
    session.assert(&terms, x);
    assert!(matches!(session.check(), Answer::Unknown(Reason::GaveUp(_))));
}

/// Not a test: what the next one starts and kills.
#[test]
#[ignore = "runs until it is killed"]
fn ask_something_hard() {
    let Some(program) = std::env::var_os("HORNET_TEST_SOLVER") else { return };
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let mut session = Session::start(&Solver::at(program.into(), SolverKind::Z3), limits(60_000), None);
    session.assert(&terms, hard);
    session.check();
}

#[test]
fn no_solver_survives_us() {
    for signal in [libc::SIGKILL, libc::SIGINT, libc::SIGTERM] {
        let solver = private_z3(&format!("survivor-{signal}"));
        let mut us = std::process::Command::new(std::env::current_exe().expect("this test"));
        us.args(["--exact", "--ignored", "sessions::ask_something_hard"])
            .env("HORNET_TEST_SOLVER", &solver.program)
            .stdout(std::process::Stdio::null());
        // Who runs tests in the background has interrupts ignored, and we would inherit that.
        unsafe {
            us.pre_exec(|| {
                libc::signal(libc::SIGINT, libc::SIG_DFL);
                Ok(())
            });
        }
        let mut us = us.spawn().expect("this test again");
        wait_for(&solver.program, 1);
        std::thread::sleep(Duration::from_millis(100));
        kill(us.id().cast_signed(), signal);
        us.wait().expect("it ends");
        wait_for(&solver.program, 0);
    }
}

#[test]
fn a_solver_behind_a_script_is_killed_with_it() {
    let inner = private_z3("behind");
    let script = format!("{} -in\necho done", inner.program.display());
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let mut session = Session::start(&fake("wrapper", &script), limits(300), None);
    session.assert(&terms, hard);
    assert_eq!(session.check(), Answer::Unknown(Reason::TimeOut));
    wait_for(&inner.program, 0);
}

/// Our own program answers as z3 does.
#[test]
fn the_linked_library_holds_conversations() {
    let solver = Solver {
        kind: SolverKind::Z3,
        program: env!("CARGO_BIN_EXE_horn-worker").into(),
        args: vec![CONVERSATION_ARGUMENT.into()],
    };
    let mut terms = Terms::new();
    let (x, three) = (terms.symbol("x", Sort::Int), terms.int(3));
    let (above, below) = (terms.lt(three, x), terms.lt(x, three));
    let mut session = Session::start(&solver, limits(60_000), None);
    session.assert(&terms, above);
    session.push();
    session.assert(&terms, below);
    assert_eq!(session.check(), Answer::Unsat);
    session.pop();
    assert_eq!(session.check(), Answer::Sat);
    let values = session.values(&terms, &[x]).expect("model");
    assert!(values[0].as_int().is_some_and(|x| *x > 3.into()));

    let hard = hard(&mut terms);
    session.assert(&terms, hard);
    let started = Instant::now();
    assert_eq!(session.check_within(Duration::from_millis(300), &[]), Answer::Unknown(Reason::TimeOut));
    assert!(started.elapsed() < Duration::from_secs(20));
}
