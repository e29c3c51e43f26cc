//! Contracts without annotations, in pairs: what is marked as violated is shown by a run on the EVM, everything else that
//! is asserted is proved. `testdata/unannotated/README.md` says what the marks mean.
//!
//! A few pairs are looked at in every test; `HORNET_EVIDENCE=all` (`make evidence`) means all of them. Those of
//! `testdata/facts` and `testdata/trusted` are small.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One of each kind: state machines, ether, calls that come back, loops, mappings, old versions.
const ALWAYS: [&str; 10] = [
    "access_owner",
    "auction",
    "enum_flag",
    "escrow",
    "immutable_range",
    "initializer_twice",
    "old_underflow",
    "queue_mapping",
    "rate_limiter",
    "reentrancy_single",
];

fn testdata(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata").join(folder)
}

/// Names that have the endings `_safe` and `_unsafe`.
fn names(folder: &str) -> Vec<String> {
    let files = std::fs::read_dir(testdata(folder)).unwrap();
    let files = files.map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        files.filter_map(|f| f.strip_suffix("_unsafe.sol").map(str::to_owned)).collect();
    names.sort();
    names
}

/// The pairs that are looked at.
fn pairs() -> Vec<String> {
    let names = names("unannotated");
    if std::env::var("HORNET_EVIDENCE").is_ok_and(|which| which == "all") {
        return names;
    }
    assert!(ALWAYS.iter().all(|name| names.iter().any(|n| n == name)), "a pair is missing");
    ALWAYS.iter().map(|name| (*name).to_owned()).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Violated,
    Reverts,
    Open,
    Undecided,
    None,
}

/// By lines, the first one at index 1.
fn marks(text: &str) -> Vec<Mark> {
    let mark = |line: &str| match line.trim_end() {
        l if l.ends_with("// violated") => Mark::Violated,
        l if l.ends_with("// reverts") => Mark::Reverts,
        l if l.ends_with("// open") => Mark::Open,
        l if l.ends_with("// undecided") => Mark::Undecided,
        _ => Mark::None,
    };
    std::iter::once(Mark::None).chain(text.lines().map(mark)).collect()
}

/// What is wrong with the answers for a file, a line each.
fn disagreements(path: &Path, more: &[&str]) -> Vec<String> {
    let marks = marks(&std::fs::read_to_string(path).unwrap());
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", "--format", "json"])
        .args(more)
        .arg(path)
        .output()
        .unwrap();
    let json: Value = match serde_json::from_slice(&output.stdout) {
        Ok(json) => json,
        Err(e) => return vec![format!("{e}: {}", String::from_utf8_lossy(&output.stderr))],
    };
    let checks = json["checks"].as_array().unwrap();
    let line_of = |check: &Value| check["location"]["line"].as_u64().unwrap() as usize;
    let mut wrong = Vec::new();
    for (line, _) in marks.iter().enumerate().filter(|(_, mark)| **mark == Mark::Violated) {
        let here = |check: &&Value| line_of(check) == line && check["verdict"] == "violated";
        match checks.iter().find(here) {
            None => wrong.push(format!("line {line} is not violated")),
            Some(check) if check["confirmed"] != true => wrong.push(format!("line {line} is not confirmed")),
            Some(check) if check["trace"].as_array().is_none_or(Vec::is_empty) => {
                wrong.push(format!("line {line} has no trace"));
            }
            Some(_) => {}
        }
    }
    for check in checks {
        let line = line_of(check);
        let proved = check["verdict"] == "proved";
        let told = |what: &str| format!("line {line}, {}: {what}", check["kind"]);
        match marks[line] {
            Mark::Violated => {}
            Mark::Open if proved => wrong.push(told("proved")),
            Mark::Open => {}
            Mark::Undecided if check["verdict"] == "violated" => wrong.push(told("violated")),
            Mark::Undecided if proved => wrong.push(told("proved at last: the mark is wrong")),
            Mark::Undecided => {}
            _ if check["verdict"] == "violated" && marks[line] == Mark::None => wrong.push(told("violated")),
            _ if check["kind"] == "assertion" && !proved => wrong.push(told("not proved")),
            Mark::Reverts | Mark::None => {}
        }
    }
    wrong
}

#[test]
fn pairs_are_told_apart() {
    tell_apart("unannotated", &pairs(), &["--timeout", "20"]);
}

#[test]
fn facts_hold_as_far_as_they_go() {
    tell_apart("facts", &names("facts"), &["--timeout", "60"]);
}

#[test]
fn trusted_calls_run_the_code_that_types_name() {
    tell_apart("trusted", &names("trusted"), &["--ext-calls", "trusted", "--timeout", "20"]);
}

fn tell_apart(folder: &str, names: &[String], more: &[&str]) {
    let mut wrong = Vec::new();
    let mut right = 0;
    for name in names {
        for ending in ["safe", "unsafe"] {
            let file = format!("{name}_{ending}.sol");
            let here = disagreements(&testdata(folder).join(&file), more);
            right += usize::from(here.is_empty());
            wrong.extend(here.into_iter().map(|what| format!("{file}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{right} files are as marked; but\n{}", wrong.join("\n"));
}

#[test]
fn marks_are_read() {
    let found = marks("contract C {\n  x += 1; // reverts\n  assert(x < 3); // violated\n}\n");
    assert_eq!(found, [Mark::None, Mark::None, Mark::Reverts, Mark::Violated, Mark::None]);
}
