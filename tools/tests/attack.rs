//! A fixed sample of `make attack`: what is proved is not broken, and what is known to fail is.

use hornet_encoder::Verdict;
use hornet_ir::program::ObligationKind;
use hornet_tools::attack::{Findings, Options, attack, compile, file};
use hornet_tools::{engine, files};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/verify")
}

fn options() -> Options {
    Options { runs: 200, seed: 7, time: Duration::from_secs(10) }
}

#[test]
fn proofs_survive_random_runs() {
    let solver = engine::z3().expect("z3 is set up by `make test`");
    let mut all = Findings::default();
    for path in files::solidity_files(&testdata()) {
        all.add(file(&path, &solver, &options()).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
    }
    assert_eq!(all.broken, 0, "{}", all.text);
    assert!(all.obligations > 200 && all.runs > 10_000, "{}", all.last_line());
    // Most of what is proved is really put to the test.
    assert!(all.untested * 4 < all.obligations, "{}", all.text);
}

/// If what the engine refutes were proved, random runs would notice.
#[test]
fn wrong_proofs_are_noticed() {
    let solver = engine::z3().expect("z3 is set up by `make test`");
    let (mut lies, mut noticed) = (0, 0);
    for path in files::solidity_files(&testdata()) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        if !name.ends_with("_broken.sol") && !name.contains("reentrant") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a case");
        let subject = compile(&name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut report = subject.verify(&name, &solver, options().time);
        for check in &mut report.checks {
            // Claims about events are not attacked.
            let about_events = matches!(
                check.kind,
                ObligationKind::Emits
                    | ObligationKind::EventPrecondition
                    | ObligationKind::EventPostcondition
            );
            let refuted = check.verdict == Verdict::Violated && !about_events;
            check.verdict = if refuted { Verdict::Proved } else { Verdict::Unknown(String::new()) };
            lies += usize::from(refuted);
        }
        noticed += attack(&subject, &report, &options()).broken;
    }
    assert!(lies > 30 && noticed * 3 > lies * 2, "{noticed} of {lies} noticed");
}
