//! Proofs by Horn clauses: what is asserted or claimed in `testdata/horn` is proved, but for lines that say `// open`. These can
//! fail on the EVM in ways that are easily forgotten; each such file has a twin in which everything holds.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/horn");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "sol"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// What code and annotations claim, as opposed to what the language checks.
const CLAIMS: [&str; 7] =
    ["assertion", "invariant", "postcondition", "precondition", "modifies", "succeeds", "reverts"];

/// Lines with a claim that is not proved wherever it is run.
fn open_lines(path: &Path) -> BTreeSet<usize> {
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", "--engine", "horn", "--format", "json"])
        .arg(path)
        .output()
        .unwrap();
    let json: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{}: {e}: {}", path.display(), String::from_utf8_lossy(&output.stderr)));
    let checks = json["checks"].as_array().unwrap().iter();
    let is_claim = |kind: &Value| CLAIMS.iter().any(|claim| kind == claim);
    let open = checks.filter(|c| is_claim(&c["kind"]) && c["verdict"] != "proved");
    open.map(|c| c["location"]["line"].as_u64().unwrap() as usize).collect()
}

#[test]
fn what_holds_is_proved_and_nothing_else() {
    for path in cases() {
        let text = std::fs::read_to_string(&path).unwrap();
        let marked = text.lines().enumerate().filter(|(_, line)| line.ends_with("// open"));
        let expected: BTreeSet<usize> = marked.map(|(i, _)| i + 1).collect();
        assert_eq!(open_lines(&path), expected, "open lines of {}", path.display());
    }
}
