//! Solvers for tests.

use hornet_smt::solver::{Solver, SolverKind};
use hornet_smt::term::{Sort, TermId, Terms};
use num_bigint::BigUint;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub fn z3() -> Solver {
    Solver::find("z3", None).expect("set-up unpacks z3")
}

/// z3 under a name of its own, so that tests running at the same time do not see each other's processes.
pub fn private_z3(test: &str) -> Solver {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("folder");
    let program = folder.join("z3");
    let _ = std::fs::remove_file(&program);
    if std::fs::hard_link(z3().program, &program).is_err() {
        std::fs::copy(z3().program, &program).expect("copy of z3");
    }
    Solver::at(program, SolverKind::Z3)
}

/// A shell script as a solver.
pub fn fake(name: &str, script: &str) -> Solver {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("mode");
    Solver::at(path, SolverKind::Other)
}

/// The live processes that run the program.
pub fn running(program: &Path) -> Vec<i32> {
    std::fs::read_dir("/proc")
        .expect("proc")
        .flatten()
        .filter(|entry| std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program))
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .collect()
}

/// Waits until that many processes run the program.
pub fn wait_for(program: &Path, count: usize) -> Vec<i32> {
    let start = Instant::now();
    loop {
        let found = running(program);
        if found.len() == count {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{} of {count} processes", found.len());
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub fn kill(pid: i32, signal: i32) {
    // SAFETY: tests give only processes that they have started.
    unsafe { libc::kill(pid, signal) };
}

/// Two factors of a product of large primes: nobody answers this in the time of a test.
pub fn hard(terms: &mut Terms) -> TermId {
    let width = 160;
    let (x, y) = (terms.symbol("x", Sort::BitVec(width)), terms.symbol("y", Sort::BitVec(width)));
    let power = |n: u32| BigUint::from(1u32) << n;
    let product = terms.bv_mul(x, y);
    let target = terms.bv((power(61) - 1u32) * (power(89) - 1u32), width);
    let (one, most) = (terms.bv(1u32, width), terms.bv(power(79), width));
    let facts =
        [terms.eq(product, target), terms.bv_ult(one, x), terms.bv_ult(x, most), terms.bv_ult(y, most)];
    terms.and_all(facts)
}
