//! Time and memory hold, and whoever loses a race is gone.

use super::systems::{endless, two_counters};
use super::{GO_ON, limits};
use crate::common::{fake, kill, private_z3, wait_for};
use hornet_smt::solver::horn::{Configuration, HornSolver, Portfolio, Solution, solve, solve_portfolio};
use hornet_smt::solver::{Limits, Reason};
use hornet_smt::term::Terms;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The worker under a name of its own, so that its processes can be told from others.
fn private_worker(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("folder");
    let program = folder.join("worker");
    std::fs::copy(env!("CARGO_BIN_EXE_horn-worker"), &program).expect("copy");
    program
}

fn short(millis: u64) -> Limits {
    Limits { time: Duration::from_millis(millis), ..Limits::default() }
}

#[test]
fn time_is_up_and_nobody_is_left() {
    let program = private_worker("horn-time");
    let mut terms = Terms::new();
    let system = endless(&mut terms);
    let portfolio = Portfolio::of(vec![HornSolver::Builtin(program.clone())]);
    let started = Instant::now();
    let solution = solve_portfolio(&mut terms, &system, &portfolio, short(1500), &GO_ON);
    assert!(matches!(solution, Solution::Unknown(Reason::TimeOut)), "{solution:?}");
    let elapsed = started.elapsed();
    assert!(elapsed >= Duration::from_millis(1400) && elapsed < Duration::from_secs(4), "{elapsed:?}");
    wait_for(&program, 0);
}

#[test]
fn the_loser_of_a_race_is_ended() {
    let program = private_z3("horn-race").program;
    let slow = fake("slow-horn", "sleep 1000 & sleep 1000; echo unsat");
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 20);
    let portfolio = Portfolio::of(vec![HornSolver::Path(slow.program), HornSolver::Path(program.clone())]);
    let started = Instant::now();
    let solution = solve_portfolio(&mut terms, &system, &portfolio, limits(), &GO_ON);
    assert!(matches!(solution, Solution::Safe(_)), "{solution:?}");
    assert!(started.elapsed() < Duration::from_secs(20));
    wait_for(&program, 0);
}

#[test]
fn a_flag_stops_everything() {
    let program = private_worker("horn-stop");
    let stop = AtomicBool::new(false);
    let mut terms = Terms::new();
    let system = endless(&mut terms);
    let portfolio = Portfolio::of(vec![HornSolver::Builtin(program.clone())]);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            wait_for(&program, 2);
            stop.store(true, Ordering::Relaxed);
        });
        let solution = solve_portfolio(&mut terms, &system, &portfolio, limits(), &stop);
        assert!(matches!(solution, Solution::Unknown(Reason::Stopped)), "{solution:?}");
    });
    wait_for(&program, 0);
}

#[test]
fn slices_end_and_those_who_were_cut_run_again() {
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 20);
    // Answers later than its slice allows. When everybody else has given up, it may run to the end.
    let stubborn = fake("z3-stubborn", "sleep 1; echo unsat");
    let gives_up = fake("gives-up", "echo unknown");
    let slice = Configuration { name: "slice", settings: &[], share: 0.05 };
    let solvers = vec![HornSolver::Path(stubborn.program), HornSolver::Path(gives_up.program)];
    let portfolio = Portfolio { solvers, configurations: vec![slice], at_once: 1 };
    let started = Instant::now();
    let solution = solve_portfolio(&mut terms, &system, &portfolio, short(8000), &GO_ON);
    assert!(matches!(solution, Solution::Unsafe), "{solution:?}");
    // Cut after 0.4 s, then a second from the beginning.
    assert!(started.elapsed() >= Duration::from_millis(1400));
}

#[test]
fn memory_is_limited_in_workers_and_programs() {
    let program = private_z3("horn-memory").program;
    for solver in [HornSolver::Builtin(private_worker("horn-memory-worker")), HornSolver::Path(program)] {
        let mut terms = Terms::new();
        let system = endless(&mut terms);
        let tight = Limits { time: Duration::from_secs(60), memory_mb: 12 };
        let solution = solve(&mut terms, &system, &solver, &[], tight, &GO_ON);
        let Solution::Unknown(reason) = solution else { panic!("{solution:?}") };
        assert!(matches!(reason, Reason::Memory | Reason::Crashed(_)), "{solver:?}: {reason}");
    }
    // Enough for what is easy.
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 20);
    let small = Limits { time: Duration::from_secs(60), memory_mb: 60 };
    let solution = solve(&mut terms, &system, &super::worker(), &[], small, &GO_ON);
    assert!(matches!(solution, Solution::Safe(_)), "{solution:?}");
    // A program that knows no limit of its own.
    let greedy = fake("greedy", "exec head -c 3000000000 /dev/zero | tail -c 2900000000 | wc -c; echo unsat");
    let mut terms = Terms::new();
    let (system, _) = two_counters(&mut terms, 20);
    let tight = Limits { time: Duration::from_secs(60), memory_mb: 100 };
    let solution = solve(&mut terms, &system, &HornSolver::Path(greedy.program), &[], tight, &GO_ON);
    assert!(matches!(solution, Solution::Unknown(_)), "{solution:?}");
}

#[test]
fn a_killed_worker_is_a_crash() {
    let program = private_worker("horn-killed");
    let mut terms = Terms::new();
    let system = endless(&mut terms);
    let solver = HornSolver::Builtin(program.clone());
    let solution = std::thread::scope(|scope| {
        scope.spawn(|| kill(wait_for(&program, 1)[0], libc::SIGKILL));
        solve(&mut terms, &system, &solver, &[], limits(), &GO_ON)
    });
    let Solution::Unknown(reason) = solution else { panic!("{solution:?}") };
    assert_eq!(reason, Reason::Crashed("signal 9".into()));
}

/// Not a test: what `no_worker_survives_us` starts and kills.
#[test]
#[ignore = "run by another test"]
fn solve_something_endless() {
    let Some(program) = std::env::var_os("HORNET_TEST_SOLVER") else { return };
    let mut terms = Terms::new();
    let system = endless(&mut terms);
    let portfolio = Portfolio::of(vec![HornSolver::Builtin(program.into())]);
    solve_portfolio(&mut terms, &system, &portfolio, limits(), &GO_ON);
}

#[test]
#[cfg(target_os = "linux")]
fn no_worker_survives_us() {
    for signal in [libc::SIGKILL, libc::SIGTERM] {
        let program = private_worker(&format!("horn-survivor-{signal}"));
        let mut us = std::process::Command::new(std::env::current_exe().expect("this test"));
        us.args(["--exact", "--ignored", "horn::limits::solve_something_endless"])
            .env("HORNET_TEST_SOLVER", &program)
            .stdout(std::process::Stdio::null());
        let mut us = us.spawn().expect("started");
        wait_for(&program, 2);
        kill(us.id().cast_signed(), signal);
        us.wait().expect("ended");
        wait_for(&program, 0);
    }
}
