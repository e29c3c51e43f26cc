//! Reports for programs and pages say the same as the JSON, and are what their readers take.

mod common;

use common::{Folder, tools};
use serde_json::Value;
use std::process::Command;

/// One assertion fails in the second transaction, the other is proved.
const COUNTER: &str = "\
// A comment may hold </script> and <!-- marks.
contract Counter {
    uint256 n;
    function step() public { n = 1 - n; assert(n <= 1); }
    function check() public view { assert(n == 0); }
}
";

#[test]
fn every_format_tells_of_the_same_checks() {
    let folder = Folder::new("formats");
    let file = folder.write("Counter & Co.sol", COUNTER);
    let report = |name: &str| folder.0.join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", "--format", "json"])
        .args(
            ["out.sarif", "out.xml", "out.md", "out.html", "out.json"]
                .iter()
                .flat_map(|name| ["--report".into(), report(name).into_os_string()]),
        )
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let read = |name: &str| std::fs::read_to_string(report(name)).unwrap();
    assert_eq!(json, serde_json::from_str::<Value>(&read("out.json")).unwrap());
    let count =
        |verdict: &str| json["checks"].as_array().unwrap().iter().filter(|c| c["verdict"] == verdict).count();
    assert_eq!(count("violated"), 1);

    let sarif: Value = serde_json::from_str(&read("out.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let of_kind = |kind: &str| results.iter().filter(|r| r["kind"] == kind).count();
    assert_eq!((of_kind("fail"), of_kind("pass")), (1, count("proved")));
    let failed = results.iter().find(|r| r["kind"] == "fail").unwrap();
    assert_eq!((&failed["level"], &failed["ruleId"]), (&"error".into(), &"hornet/assertion".into()));
    let place = &failed["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 5);
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("/Counter%20%26%20Co.sol"));
    let steps = failed["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let said = |i: usize| steps[i]["location"]["message"]["text"].as_str().unwrap();
    assert!(
        said(0).starts_with("Counter()") && said(1).starts_with("step()") && said(2).starts_with("check()")
    );
    assert_eq!(steps[1]["state"]["n"]["text"], "1");
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules[failed["ruleIndex"].as_u64().unwrap() as usize]["id"], "hornet/assertion");

    let junit = read("out.xml");
    assert!(junit.contains(r#"failures="1""#) && junit.contains("2. step()"), "{junit}");
    let markdown = read("out.md");
    assert!(markdown.contains("1 check violated") && markdown.contains("confirmed on the EVM"), "{markdown}");

    let html = read("out.html");
    let data = html.split_once(r#"id="data">"#).and_then(|(_, rest)| rest.split_once("</script>")).unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["results"]["checks"], json["checks"]);
    assert_eq!(data["sources"][0]["text"], COUNTER);
    assert!(!html.contains("http:") && !html.contains("https:"), "nothing is fetched");
}

/// Whoever reads a report must not break a build because of what the project accepts.
#[test]
fn every_format_knows_what_is_accepted() {
    let folder = Folder::new("formats-accepted");
    folder.write("src/Counter.sol", COUNTER);
    folder.write("hornet.toml", "targets = ['src']\n[[accept]]\nkind = 'assertion'\nreason = 'by & by'\n");
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .arg("verify")
        .args(["out.sarif", "out.xml", "out.md"].iter().flat_map(|name| ["--report", name]))
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).unwrap();
    assert!(text.contains("accepted: by & by") && text.contains("1 accepted"), "{text}");
    assert!(text.contains("check ~") && !text.contains("1 violated"), "{text}");

    let sarif: Value = serde_json::from_str(&read("out.sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let failed = results.iter().find(|r| r["kind"] == "fail").unwrap();
    assert_eq!(failed["level"], "note");
    assert_eq!(failed["suppressions"][0]["kind"], "external");
    assert_eq!(failed["suppressions"][0]["justification"], "by & by");
    let passed = results.iter().find(|r| r["kind"] == "pass").unwrap();
    assert_eq!(passed["suppressions"], Value::Array(Vec::new()), "it is known that nothing is suppressed");

    let junit = read("out.xml");
    assert!(junit.contains(r#"failures="0""#) && junit.contains("accepted: by &amp; by"), "{junit}");
    assert!(!junit.contains("<failure"), "{junit}");
    let markdown = read("out.md");
    assert!(markdown.contains("proved, 1 accepted") && markdown.contains(": by & by"), "{markdown}");
    assert!(!markdown.contains('❌') && !markdown.contains("1 check violated"), "{markdown}");
}

/// Paths are told from the current folder, wherever a file was found and however it was named.
#[test]
fn paths_are_relative_where_they_can_be() {
    let folder = Folder::new("formats-paths");
    folder.write("lib/x/T.sol", "library T { function t(uint256 n) internal pure { assert(n != 7); } }");
    folder.write("remappings.txt", "x/=lib/x/\n");
    folder.write(
        "A.sol",
        "import {T} from \"x/T.sol\"; contract A { function a(uint256 n) public pure { T.t(n); } }",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", ".", "--root", ".", "--report", "out.json", "--report", "out.sarif"])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("┌─ lib/x/T.sol:1:"), "{text}");
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(folder.0.join(name)).unwrap()).unwrap()
    };
    let json = read("out.json");
    assert_eq!(json["functions"][0]["location"]["file"], "A.sol");
    assert!(
        json["checks"].as_array().unwrap().iter().any(|check| check["location"]["file"] == "lib/x/T.sol")
    );
    let sarif = read("out.sarif").to_string();
    assert!(sarif.contains(r#""uri":"lib/x/T.sol""#) && !sarif.contains("file://"), "{sarif}");
}

#[test]
fn reports_of_unknown_kinds_are_refused_at_once() {
    let folder = Folder::new("formats-unknown");
    let file = folder.write("Counter.sol", COUNTER);
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", "--report", "out.pdf"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`out.pdf` should end in"));
}

#[test]
fn bad_input_as_sarif_is_a_failed_invocation() {
    let folder = Folder::new("formats-refused");
    let file = folder.write("Broken.sol", "contract {");
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", "--format", "sarif"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let sarif: Value = serde_json::from_slice(&output.stdout).unwrap();
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"].as_array().unwrap().len(), 1);
}

/// By the validator of those who made the format, which knows its schema.
#[test]
fn sarif_is_valid() {
    let folder = Folder::new("formats-sarif");
    let file = folder.write("Counter.sol", COUNTER);
    let faulty = folder.write("Faulty.sol", "contract Faulty { uint256 n = ; }");
    let validator = tools("sarif").join("node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool");
    let validated = |name: &str, text: &[u8]| {
        let log = folder.write(name, text);
        let mut command = Command::new(&validator);
        // It wants libraries for the languages of the world otherwise.
        command.arg("validate").arg(&log).env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (name, args, file) in [
        ("verify.sarif", ["verify", "--show-proved"].as_slice(), &file),
        ("gas.sarif", &["gas", "--timeout", "0"], &file),
        ("faulty.sarif", &["verify"], &faulty),
        ("faulty-gas.sarif", &["gas"], &faulty),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
        let output = command.args(args).args(["--format", "sarif"]).arg(file).output().unwrap();
        let said = validated(name, &output.stdout);
        assert!(said.contains("1 files scanned") && !said.contains(": error "), "{name}: {said}");
    }
    folder.write("hornet.toml", "targets = ['.']\n[[accept]]\nkind = 'assertion'\nreason = 'so be it'\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
    let output = command.args(["verify", "--format", "sarif"]).arg(&file).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("so be it"));
    let said = validated("accepted.sarif", &output.stdout);
    assert!(said.contains("1 files scanned") && !said.contains(": error "), "{said}");
    let said = validated("wrong.sarif", br#"{"version": "2.1.0", "runs": [{"results": []}]}"#);
    assert!(said.contains(": error "), "the validator notices: {said}");
}
