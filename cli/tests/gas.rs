//! `hornet gas` on the real compiler and EVM. What ceilings, budgets and warnings come out is beside each case in
//! `testdata/gas` (`HORNET_BLESS=1` writes it); what runs cost depends on what is found, and is held against ceilings.

mod common;

use common::Folder;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/gas")
}

fn hornet(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
    command.arg("gas").args(args).current_dir(folder).output().unwrap()
}

/// With little time for the search of runs, unless the test is about those.
fn json(folder: &Path, args: &[&str]) -> (Value, Option<i32>) {
    let usual: &[&str] = if args.contains(&"--timeout") { &[] } else { &["--timeout", "1"] };
    let output = hornet(folder, &[args, &["--format", "json"], usual].concat());
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}: {stdout} {stderr}"));
    (value, output.status.code())
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no list `{key}` in {value}"))
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("no text `{key}` in {value}"))
}

/// What does not depend on which runs were found.
fn certain(report: &Value) -> String {
    let mut out = String::new();
    for contract in list(report, "contracts") {
        let deployment = &contract["deployment"];
        let _ = writeln!(out, "{} ({})", word(contract, "contract"), word(contract, "compiler"));
        let is_certain = deployment["arguments"].is_null();
        let _ = writeln!(
            out,
            "  deployment: {}",
            if is_certain { &deployment["execution"] } else { &Value::Null }
        );
        budgets(&mut out, deployment);
        for function in list(contract, "functions") {
            let ceiling = &function["ceiling"];
            let bound = match ceiling["bounded"].as_bool() {
                Some(true) => [&ceiling["execution"], &ceiling["execution_formula"]]
                    .into_iter()
                    .find(|value| !value.is_null())
                    .map_or("nothing".to_owned(), |value| value.to_string().replace('"', "")),
                _ => "unbounded".to_owned(),
            };
            let _ = writeln!(out, "  {}: {bound}", word(function, "signature"));
            budgets(&mut out, function);
            for finding in list(function, "findings") {
                let line = &finding["location"]["line"];
                let _ =
                    writeln!(out, "    {} at {line}: {}", word(finding, "kind"), word(finding, "message"));
            }
        }
    }
    out
}

fn budgets(out: &mut String, of: &Value) {
    for budget in list(of, "budgets") {
        // Whether a run was found that shows it is another matter.
        let verdict =
            word(budget, "verdict").replace("exceeded", "not kept").replace("not-shown", "not kept");
        let _ = writeln!(out, "    budget {}: {verdict}", word(budget, "budget"));
    }
}

#[test]
fn ceilings_budgets_and_warnings() {
    let folder = testdata();
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".sol"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let (report, _) = json(&folder, &["--root", ".", &file]);
        let actual = certain(&report);
        let path = folder.join(&file).with_extension("gas");
        if std::env::var_os("HORNET_BLESS").is_some() {
            std::fs::write(&path, &actual).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(expected, actual, "{file}: `make bless` accepts");
    }
}

/// What runs cost is measured, so it is never above a ceiling; here the dearest is known.
#[test]
fn runs_are_below_ceilings_and_come_close() {
    let (report, _) = json(&testdata(), &["budgets.sol", "--contract", "Base", "--timeout", "120"]);
    let functions = list(&report["contracts"][0], "functions");
    for function in functions {
        let name = word(function, "signature");
        let seen = &function["worst_seen"];
        let own = seen["execution"].as_u64().unwrap() - seen["callees"].as_u64().unwrap();
        let ceiling = seen["ceiling"].as_u64().unwrap_or_else(|| panic!("{name}: {seen}"));
        assert!(own <= ceiling, "{name}: {own} > {ceiling}");
        assert!(seen["transaction"].as_u64().unwrap() >= 21_000, "{name}");
        for point in function["growth"].as_array().into_iter().flatten().flat_map(|g| list(g, "points")) {
            assert!(point["execution"].as_u64() <= point["ceiling"].as_u64(), "{name}: {point}");
        }
    }
    let of = |name: &str| functions.iter().find(|f| f["function"] == name).unwrap();
    assert_eq!(of("little")["ratio"], 1.0);
    assert_eq!(of("little")["budgets"][0]["verdict"], "exceeded");
    assert_eq!(of("sum")["growth"][0]["confirmed"], true, "{}", of("sum")["growth"]);
    assert_eq!(of("spin")["growth"][0]["parameter"], "rounds");
}

#[test]
fn settings_change_the_code_and_the_rules() {
    let folder = testdata();
    let deployment = |args: &[&str]| {
        let (report, code) = json(&folder, &[&["airdrop.sol"], args].concat());
        assert_eq!(code, Some(0), "{report}");
        let contract = &report["contracts"][0];
        (
            contract["fork"].clone(),
            contract["evm_version"].clone(),
            contract["deployment"]["code_bytes"].clone(),
        )
    };
    let usual = deployment(&[]);
    assert_eq!(usual.0, "osaka");
    assert_ne!(usual.2, deployment(&["--no-optimizer"]).2);
    assert_ne!(usual.2, deployment(&["--via-ir"]).2);
    let older = deployment(&["--fork", "berlin"]);
    assert_eq!((older.0, older.1), ("berlin".into(), "berlin".into()));
    let moved = deployment(&["--evm-version", "paris", "--fork", "cancun"]);
    assert_eq!((moved.0, moved.1), ("cancun".into(), "paris".into()));
}

#[test]
fn the_text_says_what_is_shown() {
    let output = hornet(&testdata(), &["receiver.sol", "--measure", "transaction", "--timeout", "1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Heavy (solc 0.8.37, optimizer 200 runs, osaka): transaction gas"), "{text}");
    assert!(text.contains("receiver.sol:16:5") && text.contains("2,300"), "{text}");
    let light = text.split("Heavy").next().unwrap();
    assert!(light.contains("receive()") && !light.contains("warning"), "{text}");
}

fn refused(folder: &Path, args: &[&str], words: &[&str]) {
    let output = hornet(folder, args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(
        output.stdout.is_empty() && stderr.lines().filter(|line| line.starts_with("error")).count() == 1,
        "{args:?}: {stderr}"
    );
    for word in words {
        assert!(stderr.contains(word), "`{word}` is missing in: {stderr}");
    }
}

#[test]
fn bad_input_is_one_clear_error() {
    let folder = Folder::new("gas-bad");
    let good = testdata().join("receiver.sol").display().to_string();
    let at = &folder.0;
    folder.write("syntax.sol", "contract {");
    refused(at, &["syntax.sol"], &["syntax.sol:1:10"]);
    folder.write("type.sol", "contract C { function f() public { uint x = true; } }");
    refused(at, &["type.sol"], &["type.sol:1:"]);
    // Understood here, refused by the compiler: too many locals for its stack.
    let many: String = (0..20).map(|i| format!("uint a{i} = x + {i};\n")).collect();
    let sum: Vec<String> = (0..20).map(|i| format!("a{i}")).collect();
    let deep = format!(
        "contract C {{ function f(uint x) public pure returns (uint) {{ {many} return {}; }} }}",
        sum.join(" + ")
    );
    folder.write("deep.sol", &deep);
    refused(at, &["deep.sol", "--no-optimizer"], &["solc 0.8.37", "tack too deep", "deep.sol:"]);
    folder.write("pragma.sol", "pragma solidity =0.8.1;\ncontract C {}");
    refused(at, &["pragma.sol"], &["pragma.sol:1:1", "no installed compiler", "0.8.37"]);
    refused(at, &[&good, "--solc-version", "0.8.9"], &["solc 0.8.9 is not installed", "0.8.37"]);
    refused(at, &["pragma.sol", "--solc-version", "0.8.37"], &["pragma.sol:1:1", "0.8.37"]);
    refused(at, &[&good, "--solc", "./missing"], &["./missing"]);
    refused(at, &[&good, "--evm-version", "osaka", "--fork", "paris"], &["osaka", "paris"]);
    refused(at, &[&good, "--contract", "Nobody"], &["`Nobody`", "`Heavy`", "`Light`"]);
    refused(at, &[&good, "--function", "nothing"], &["`nothing`", "`receive()`"]);
    refused(at, &["missing.sol"], &["missing.sol"]);
    folder.write("Iface.sol", "interface I { function f() external; }");
    refused(at, &["Iface.sol"], &["no contract here can be deployed"]);
}

#[test]
fn budgets_that_cannot_be_read_are_errors_at_their_place() {
    let folder = Folder::new("gas-budget");
    let contract = |budget: &str| {
        format!(
            "contract C {{\n  uint x;\n  /// @custom:gas <= {budget}\n  function f(uint n) public {{ x = n; }}\n}}\n"
        )
    };
    folder.write("minus.sol", contract("5 - n"));
    refused(&folder.0, &["minus.sol"], &["minus.sol:3:24", "`-`"]);
    folder.write("name.sol", contract("5*m + 3"));
    refused(&folder.0, &["name.sol"], &["name.sol:3:22", "`m`", "`n`"]);
}

#[test]
fn a_missing_compiler_is_an_error() {
    let folder = Folder::new("gas-no-solc");
    let file = folder.write("C.sol", "contract C {}");
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .arg("gas")
        .arg(&file)
        .env("HORNET_SOLC_DIR", folder.0.join("nowhere"))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("nowhere") && !stderr.contains("panicked"), "{stderr}");
}

/// One file that no compiler takes does not hide what the others cost, and does not pass.
#[test]
fn files_without_a_compiler_leave_the_others_alone() {
    let folder = Folder::new("gas-some-without-solc");
    let code = |pragma: &str, name: &str| {
        format!("// A file.\npragma solidity {pragma};\ncontract {name} {{ function f() external {{}} }}\n")
    };
    folder.write("src/Good.sol", code("^0.8.0", "Good"));
    folder.write("src/Strange.sol", code("=0.8.1", "Strange"));
    let output = hornet(&folder.0, &["src", "--timeout", "0"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    for words in ["src/Strange.sol:2:1", "error: no installed compiler", "Good (solc", "f()"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (report, code) = json(&folder.0, &["src"]);
    let (contracts, diagnostics) = (list(&report, "contracts"), list(&report, "diagnostics"));
    assert_eq!((code, contracts.len(), word(&diagnostics[0], "severity")), (Some(2), 1, "error"));
    // Who only reads the exit code knows it, too: no snapshot of a part is made.
    let output = hornet(&folder.0, &["src", "--timeout", "0", "--format", "html", "--snapshot"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("src/Strange.sol:2:1"));
    assert!(!folder.0.join(".hornet-gas-snapshot").exists());
    // The page about a verification lacks it, which is said.
    let mut verify = Command::new(env!("CARGO_BIN_EXE_hornet"));
    verify.args(["verify", "src", "--gas", "--report", "r.html"]).current_dir(&folder.0);
    let output = verify.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        stderr.contains("warning: gas is missing in the report") && stderr.contains("Strange.sol:2:1"),
        "{stderr}"
    );
}

#[test]
fn refusals_have_the_format_asked_for() {
    let folder = Folder::new("gas-formats");
    folder.write("syntax.sol", "contract {");
    let (report, code) = json(&folder.0, &["syntax.sol"]);
    assert_eq!((code, list(&report, "diagnostics").len(), list(&report, "contracts").len()), (Some(2), 1, 0));
    let output = hornet(&folder.0, &["syntax.sol", "--format", "sarif"]);
    let sarif: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(sarif["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

/// A contract whose function costs more in its second version.
fn versions(folder: &Folder) -> impl Fn(&str) {
    let path = folder.0.join("C.sol");
    move |body: &str| {
        let text =
            format!("contract C {{\n  uint a; uint b;\n  function f(uint x) public {{ {body} }}\n}}\n");
        std::fs::write(&path, text).unwrap();
    }
}

#[test]
fn snapshots_catch_what_became_dearer() {
    let folder = Folder::new("gas-snapshot");
    let write = versions(&folder);
    let run = |args: &[&str]| hornet(&folder.0, &[&["C.sol", "--timeout", "1"], args].concat());
    write("a = x;");
    let missing = hornet(&folder.0, &["C.sol", "--check", "--witness-out", "out", "--timeout", "1"]);
    assert_eq!(missing.status.code(), Some(2), "there is none yet");
    assert!(missing.stdout.is_empty(), "that is said before anything is measured");
    assert_eq!(run(&["--snapshot"]).status.code(), Some(0));
    assert!(
        std::fs::read_to_string(folder.0.join(".hornet-gas-snapshot")).unwrap().contains("C.f(uint256) seen")
    );
    assert_eq!(run(&["--check"]).status.code(), Some(0));
    write("a = x; b = x;");
    let output = run(&["--check"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("✗ C.f(uint256)") && text.contains(" → "), "{text}");
    assert_eq!(run(&["--check", "--tolerance", "150"]).status.code(), Some(0));
    write("");
    assert_eq!(run(&["--check"]).status.code(), Some(0), "cheaper is fine");
    // Sources are told apart from the optional file.
    let named = hornet(&folder.0, &["--timeout", "1", "--snapshot", "C.sol"]);
    assert_eq!(named.status.code(), Some(0), "{}", String::from_utf8_lossy(&named.stderr));
    assert!(std::fs::read_to_string(folder.0.join("C.sol")).unwrap().starts_with("contract"));
    let other = hornet(
        &folder.0,
        &["C.sol", "--timeout", "1", "--snapshot", "costs.txt", "--measure", "transaction"],
    );
    assert_eq!(other.status.code(), Some(0));
    let wrong = run(&["--check", "costs.txt"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--measure transaction"));
    folder.write("bad.txt", "# hornet gas: execution gas\nC.f(uint256) ceiling 3 -\n");
    let bad = run(&["--check", "bad.txt"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("bad.txt:2:"));
}

#[test]
fn details_and_tests_of_one_function() {
    let folder = Folder::new("gas-details");
    versions(&folder)("if (x > 5) a = x; else b = x;");
    let output = hornet(&folder.0, &["C.sol", "--timeout", "5", "--function", "f", "--witness-out", "out"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("ceiling of the transaction") && text.contains("returns") && text.contains(" from 0x"),
        "{text}"
    );
    assert!(text.contains("       if x ") || text.contains("       if "), "conditions: {text}");
    let test = std::fs::read_to_string(folder.0.join("out/C_f_uint256_gas.t.sol")).unwrap();
    assert!(test.contains("vm.etch(") && test.contains("require(used == "), "{test}");
}

/// A level that is limited, or not, and a write that only happens above the limit.
fn levels(limit: &str) -> String {
    format!(
        "pragma solidity ^0.8.0;
/// @notice invariant level <= 3
contract Levels {{
    uint256 level;
    uint256 spare;
    uint256[] initial;
    constructor(uint256 start, uint256[] memory more) {{ require(start <= 3); level = start; initial = more; }}
    function raise() external {{ if (level < {limit}) level += 1; }}
    function above() external {{ if (level > 3) spare = level; }}
}}"
    )
}

/// What is proved of a contract, and the dearest run of a function.
fn above(folder: &Folder, limit: &str) -> (Value, u64) {
    folder.write("levels.sol", levels(limit));
    let output = hornet(&folder.0, &["levels.sol", "--format", "json", "--timeout", "60"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let contract = list(&report, "contracts")[0].clone();
    let functions = list(&contract, "functions");
    let above = functions.iter().find(|f| word(f, "signature") == "above()").unwrap();
    let dearest = above["worst_seen"]["execution"].as_u64().unwrap();
    (contract, dearest)
}

#[test]
fn states_that_proved_invariants_exclude_are_left_out() {
    let folder = Folder::new("gas-invariants");
    let (contract, dearest) = above(&folder, "3");
    assert_eq!(list(&contract, "invariants"), ["level <= 3"]);
    assert!(dearest < 3_000, "{dearest}");
    // It is not proved where it does not hold, and then nothing is left out.
    let (contract, dearest) = above(&folder, "4");
    assert!(contract["invariants"].is_null(), "{contract}");
    assert!(dearest > 22_100, "{dearest}");
}

#[test]
fn deployments_have_the_dearest_arguments_that_are_found() {
    let folder = Folder::new("gas-deployment");
    let deployment = above(&folder, "3").0["deployment"].clone();
    let arguments = list(&deployment, "arguments");
    assert_eq!(arguments.len(), 2, "{deployment}");
    assert!(["1", "2", "3"].contains(&arguments[0].as_str().unwrap()), "{deployment}");
    // Storing the code, the level, and the length and elements of an array.
    let code = 200 * deployment["code_bytes"].as_u64().unwrap();
    assert!(deployment["execution"].as_u64().unwrap() > code + 4 * 22_100, "{deployment}");
}

#[test]
fn what_is_given_back_counts_for_transactions() {
    let folder = Folder::new("gas-refunds");
    folder.write(
        "clears.sol",
        "pragma solidity ^0.8.0; contract C { uint256 x; function set(uint256 n) external { x = n; } }",
    );
    let run = |measure: &str| {
        let args = ["clears.sol", "--format", "json", "--timeout", "60", "--measure", measure];
        let report: Value = serde_json::from_slice(&hornet(&folder.0, &args).stdout).unwrap();
        let function = list(&report, "contracts")[0]["functions"][0].clone();
        let classes = list(&function, "classes").to_vec();
        let refunds: Vec<u64> = classes.iter().map(|class| class["refund"].as_u64().unwrap()).collect();
        (classes, refunds)
    };
    let (by_execution, _) = run("execution");
    let (by_payment, refunds) = run("transaction");
    assert!(by_payment.len() > by_execution.len(), "{by_payment:?}");
    assert!(refunds.contains(&4_800) && refunds.contains(&0), "{refunds:?}");
    // The bytes of the dearest run are as dear as they can be.
    let digits = word(&by_payment[0], "data").as_bytes()[2..].chunks(2);
    assert!(digits.into_iter().all(|byte| byte != b"00"), "{}", by_payment[0]);
}
