//! Contracts whose proofs need invariants that nobody wrote, each with a broken twin of which nothing must be proved.

mod subject;

use hornet_encoder::{Inferred, Invariant, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::Subject;

const TIME: Duration = Duration::from_secs(60);

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/infer");
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "sol"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// Lines on which something stays open after inference, and the invariants that were found.
fn open_lines(subject: &Subject) -> (BTreeSet<usize>, Vec<Invariant>) {
    let report = subject.verify();
    let mut open = BTreeSet::new();
    let mut invariants = Vec::new();
    for (contract, wanted) in subject.undecided(&report) {
        let Inferred { proved, invariants: found, .. } = subject.infer(contract, &wanted, TIME);
        invariants.extend(found);
        let left = wanted.iter().filter(|key| proved.iter().all(|proof| proof.check != **key));
        open.extend(left.map(|key| subject.line(key.span)));
    }
    (open, invariants)
}

/// Every check is proved, but for those on lines that say `// open`.
#[test]
fn what_holds_is_proved_and_nothing_else() {
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let subject = Subject::compile(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let says_open = |(_, line): &(usize, &str)| line.ends_with("// open");
        let expected: BTreeSet<usize> =
            text.lines().enumerate().filter(says_open).map(|(i, _)| i + 1).collect();
        let (open, _) = open_lines(&subject);
        assert_eq!(open, expected, "open lines of {}", path.display());
    }
}

/// What is shown can be written into the source, and then annotations alone decide the same.
#[test]
fn invariants_can_be_pasted_back() {
    for name in ["counter_bound", "balances", "flag", "phases", "lengths", "loops"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../testdata/infer/{name}.sol"));
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let subject = Subject::compile(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let (_, invariants) = open_lines(&subject);
        assert!(!invariants.is_empty(), "{name}");
        let annotated = subject.annotated(&invariants);
        let subject = Subject::compile(&annotated).unwrap_or_else(|why| panic!("{name}: {why}\n{annotated}"));
        let report = subject.verify();
        let open = report.checks.iter().filter(|check| check.verdict != Verdict::Proved);
        let open: Vec<&str> = open.map(|check| check.message.as_str()).collect();
        assert!(open.is_empty(), "{name}: {open:?}\n{annotated}");
    }
}

/// The deadline holds, and a search that is cut short claims nothing that was not verified.
#[test]
fn time_limits_hold() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/infer/phases.sol"));
    let subject = Subject::compile(&text.expect("a readable case")).expect("a valid case");
    let report = subject.verify();
    for (contract, wanted) in subject.undecided(&report) {
        let inferred = subject.infer(contract, &wanted, Duration::ZERO);
        assert!(inferred.proved.is_empty() && inferred.invariants.is_empty());
    }
}
