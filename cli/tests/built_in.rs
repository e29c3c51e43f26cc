//! The Solidity compiler inside the program: everything works where none is installed, and none is left behind.
#![cfg(feature = "embedded-solc")]

mod common;

use common::Folder;
use hornet_evm::solc::{BuiltIn, Compilers, Input, Settings};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Neither node nor any compiler is to be found from here.
fn hornet(folder: &Folder) -> Command {
    let nothing = folder.0.join("nothing");
    std::fs::create_dir_all(&nothing).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
    command.env_clear().current_dir(&folder.0).env("HORNET_NO_CACHE", "1");
    for name in ["PATH", "HOME", "HORNET_CACHE"] {
        command.env(name, &nothing);
    }
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// A contract whose assertion fails unless the condition is the right one.
fn contract(pragma: &str, condition: &str) -> String {
    format!(
        "pragma solidity {pragma};\ncontract C {{\n    uint256 x;\n    function set(uint256 n) public {{\n        \
         require(n < 100);\n        x = n;\n        assert({condition});\n    }}\n}}\n"
    )
}

fn verify(folder: &Folder, source: &str) -> (Value, Option<i32>) {
    folder.write("C.sol", source);
    let args = ["verify", "C.sol", "--solver", "builtin", "--format", "json"];
    let output = hornet(folder).args(args).output().unwrap();
    (
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output))),
        output.status.code(),
    )
}

fn assertion(report: &Value) -> &Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["kind"] == "assertion").unwrap()
}

#[test]
fn runs_are_confirmed_without_any_compiler() {
    let folder = Folder::new("built-in-verify");
    let (report, code) = verify(&folder, &contract("^0.8.0", "x != 7"));
    let check = assertion(&report);
    assert_eq!(
        (code, &check["verdict"], &check["confirmed"]),
        (Some(1), &"violated".into(), &true.into()),
        "{check}"
    );
    let compiler = check["compiler"].as_str().unwrap_or_default();
    assert!(compiler.starts_with("solc 0.8.") && compiler.ends_with(" (built in)"), "{check}");
    let (report, code) = verify(&folder, &contract("^0.8.0", "x != 100"));
    assert_eq!((code, &assertion(&report)["verdict"]), (Some(0), &"proved".into()), "{report}");
}

#[test]
fn older_languages_need_another_compiler_and_are_told_so() {
    let folder = Folder::new("built-in-old");
    let (report, code) = verify(&folder, &contract("^0.7.0", "x != 7"));
    let check = assertion(&report);
    assert_ne!(check["confirmed"], true, "{check}");
    assert!(code == Some(1) || code == Some(3), "{code:?}");
    let said = check.to_string();
    assert!(said.contains("installed: none; built in: 0.8."), "{said}");
}

#[test]
fn other_commands_have_it_too() {
    let folder = Folder::new("built-in-others");
    folder.write("C.sol", contract("^0.8.0", "x != 7"));
    let run = |args: &[&str]| text(&hornet(&folder).args(args).output().unwrap());
    let gas = run(&["gas", "C.sol", "--timeout", "1"]);
    assert!(gas.contains("(solc 0.8.") && gas.contains(" (built in), "), "{gas}");
    let explained = run(&["verify", "C.sol", "--solver", "builtin", "--explain", "--test-out", "test"]);
    assert!(
        explained.contains("as compiled by solc 0.8.") && explained.contains("(built in)\n"),
        "{explained}"
    );
    assert_eq!(std::fs::read_dir(folder.0.join("test")).unwrap().count(), 1);
    let calls = run(&["run", "C.sol", "--evm", "--call", "set(5)"]);
    assert!(calls.contains("(built in) on revm"), "{calls}");
    assert!(run(&["config"]).contains("installed: none; built in: 0.8."));
    let version = run(&["solc", "--version"]);
    assert!(version.contains("Version: 0.8.") && version.contains("+commit."), "{version}");
    assert!(run(&["solc", "--bin", "C.sol"]).contains("standard JSON, and nothing else"));
}

#[test]
fn it_takes_the_place_of_solc_in_builds() {
    let folder = Folder::new("built-in-plugin");
    let sources = serde_json::json!({ "C.sol": { "content": contract("^0.8.0", "x != 7") } });
    let settings = serde_json::json!({ "outputSelection": { "*": { "*": ["evm.bytecode.object"] } } });
    let request = serde_json::json!({ "language": "Solidity", "sources": sources, "settings": settings });
    folder.write("request.json", request.to_string());
    let mut command = hornet(&folder);
    command.args(["solc", "--standard-json"]).env("HORNET_TIME", "0");
    let input = std::fs::File::open(folder.0.join("request.json")).unwrap();
    let output = command.stdin(input).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let code = answer["contracts"]["C.sol"]["C"]["evm"]["bytecode"]["object"].as_str().unwrap_or_default();
    assert!(code.starts_with("6080"), "{answer}");
}

/// The syntax tree of this takes the time of the square of its depth.
fn slow() -> String {
    format!(
        "contract C {{ function f(uint x) public pure returns (uint) {{ return x{}; }} }}",
        " + x".repeat(1000)
    )
}

fn newest() -> Compilers {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_hornet"));
    let version = hornet_soljson::VERSION.parse().unwrap();
    Compilers::of_built_in(BuiltIn { version, program, argument: hornet_soljson::WORKER_ARGUMENT })
}

fn input(source: &str) -> Input {
    let settings = Settings { ast: true, ..Settings::default() };
    Input { sources: BTreeMap::from([("a.sol".to_owned(), source.to_owned())]), settings, version: None }
}

/// Our processes that compile.
fn workers() -> usize {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let read = |path: PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let own = format!(" {} ", std::process::id());
    let is_child = |stat: &str| {
        stat.rsplit(')').next().is_some_and(|rest| rest.get(2..).is_some_and(|r| r.starts_with(&own)))
    };
    processes
        .filter(|path| read(path.join("cmdline")).contains(hornet_soljson::WORKER_ARGUMENT))
        .filter(|path| is_child(&read(path.join("stat"))))
        .count()
}

/// One after the other, as both count processes.
#[test]
fn no_process_is_left() {
    a_limit_is_obeyed();
    it_ends_with_whoever_asked();
}

fn a_limit_is_obeyed() {
    let compilers = newest().with_limit(Duration::from_secs(2));
    let began = Instant::now();
    let refused = compilers.compile(&input(&slow())).unwrap_err().to_string();
    assert!(refused.contains("longer than 2 s"), "{refused}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(workers(), 0);
    let compilers = compilers.with_limit(Duration::from_secs(60));
    let output = compilers.compile(&input("contract C { uint public x; }")).unwrap();
    assert!(output.built_in && !output.contracts.is_empty());
    assert!(cfg!(not(target_os = "linux")) || workers() == 1, "the compiler stays for the next request");
    drop(compilers);
    assert_eq!(workers(), 0);
}

fn it_ends_with_whoever_asked() {
    use std::io::Write;
    let mut worker = Command::new(env!("CARGO_BIN_EXE_hornet"));
    let worker = worker.arg(hornet_soljson::WORKER_ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = worker.spawn().unwrap();
    let sources = serde_json::json!({ "a.sol": { "content": slow() } });
    let settings = serde_json::json!({ "outputSelection": { "*": { "": ["ast"] } } });
    let request = serde_json::json!({ "language": "Solidity", "sources": sources, "settings": settings });
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{request}").unwrap();
    drop(stdin);
    let began = Instant::now();
    assert!(child.wait().unwrap().success());
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}
