//! The compiler gives the same answers here as in JavaScript, to the byte.

use hornet_soljson::{STACK_BYTES, Solc, VERSION};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata")
}

fn request(sources: &[(&str, String)], settings: Value) -> String {
    let sources: Map<String, Value> =
        sources.iter().map(|(name, text)| ((*name).to_owned(), json!({ "content": text }))).collect();
    let mut settings = settings;
    settings["outputSelection"] = json!({ "*": { "*": ["*"], "": ["*"] } });
    json!({ "language": "Solidity", "sources": sources, "settings": settings }).to_string()
}

/// Every so many files of a folder, each with the next of the settings.
fn of_folder(folder: &str, every: usize, settings: &[Value]) -> Vec<String> {
    let entries = std::fs::read_dir(testdata().join(folder)).unwrap().flatten().map(|entry| entry.path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "sol")).collect();
    files.sort();
    let chosen = files.iter().step_by(every).zip(settings.iter().cycle());
    chosen
        .map(|(file, settings)| {
            let text = std::fs::read_to_string(file).unwrap();
            request(&[("a.sol", text)], settings.clone())
        })
        .collect()
}

/// Sources that make the compiler throw: what is wrong is found where C++ exceptions tell it.
fn faulty() -> Vec<String> {
    let names: Vec<String> = (0..20).map(|i| format!("a{i}")).collect();
    let parameters = names.iter().map(|name| format!("uint {name}")).collect::<Vec<_>>().join(", ");
    let too_many = format!(
        "contract C {{ function f({parameters}) public pure returns (uint) {{ return {}; }} }}",
        names.join(" + ")
    );
    let sources = [
        "contract C { function f() public { uint x = \"a\"; } }",
        "contract C { function f( }",
        "contract C { uint constant x = y; uint constant y = x; }",
        "pragma solidity ^0.7.0; contract C {}",
        "contract C is D { } contract D is C { }",
        "contract C { string s = unicode\"Grüße 💥\"; bytes1 b = \"é\"; }",
        "",
    ];
    let plain = || json!({});
    let mut requests: Vec<String> =
        sources.iter().map(|text| request(&[("a.sol", (*text).to_owned())], plain())).collect();
    requests.push(request(&[("a.sol", too_many.clone())], plain()));
    requests.push(request(&[("a.sol", too_many)], json!({ "viaIR": true })));
    requests.push(request(&[("a.sol", "contract C {}".to_owned())], json!({ "evmVersion": "nowhere" })));
    requests.push("{\"language\": \"Solidity\"".to_owned());
    requests.push("{}".to_owned());
    requests
}

fn several_files() -> String {
    let library = "library L { function twice(uint x) public pure returns (uint) { return 2 * x; } }";
    let base = "import {L} from \"lib/L.sol\"; abstract contract B { uint immutable n; constructor(uint m) { n = L.twice(m); } }";
    let main = "import \"./B.sol\"; contract C is B(3) { function f() external view returns (uint) { assert(n > 4); return n; } }";
    let sources =
        [("src/C.sol", main), ("src/B.sol", base), ("deps/L.sol", library)].map(|(n, t)| (n, t.to_owned()));
    request(&sources, json!({ "remappings": ["lib/=deps/"] }))
}

fn in_node(requests: &[String]) -> Vec<String> {
    let toolchain = std::env::var("HORNET_TOOLCHAIN").expect("cargo sets it");
    let mut child = Command::new("node")
        .arg("--stack-size=3900")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node.js"))
        .arg(Path::new(&toolchain).join(format!("solc/node_modules/solc-{VERSION}")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = requests.join("\n");
    let writing = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    assert!(output.status.success(), "node failed");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn answers_are_the_same_as_in_javascript() {
    let optimised = json!({ "optimizer": { "enabled": true, "runs": 200 } });
    let by_way_of_yul = json!({ "viaIR": true, "optimizer": { "enabled": true } });
    let mut requests = of_folder("unannotated", 20, &[json!({}), optimised.clone()]);
    requests.extend(of_folder("verify", 20, &[json!({}), optimised]));
    requests.extend(of_folder("errors", 6, &[json!({})]));
    requests.extend(of_folder("gas", 12, &[by_way_of_yul]));
    requests.extend(faulty());
    requests.push(several_files());
    assert!(requests.len() >= 24, "only {} requests", requests.len());
    let expected = in_node(&requests);
    assert_eq!(expected.len(), requests.len());
    let compile_all = move || {
        let mut solc = Solc::load().unwrap();
        assert!(solc.version().unwrap().starts_with(&format!("{VERSION}+commit.")));
        let mut with_code = 0;
        for (request, expected) in requests.iter().zip(&expected) {
            let answer = solc.compile(request).unwrap();
            assert!(answer == *expected, "another answer to {request}\n{answer}\n{expected}");
            with_code += usize::from(answer.contains("\"sourceMap\":\""));
        }
        assert!(with_code >= 10, "only {with_code} were compiled");
    };
    // Less than there is otherwise: an interpreter whose calls from instruction to instruction take stack would be noticed.
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES / 16).spawn(compile_all).unwrap();
    thread.join().unwrap();
}

/// Nobody's stack is endless: the compiler's own limit comes first, or else ours, before anything is overwritten.
#[test]
fn endless_nesting_is_an_error() {
    let of = |value: String| request(&[("a.sol", format!("contract C {{ uint x = {value}; }}"))], json!({}));
    let nested = of("(".repeat(5000) + "1" + &")".repeat(5000));
    let chained = of("1".to_owned() + &" + 1".repeat(20_000));
    let compile = move || {
        let mut solc = Solc::load().unwrap();
        (solc.compile(&nested).unwrap(), solc.compile(&chained).unwrap_err().to_string())
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(compile).unwrap();
    let (nested, chained) = thread.join().unwrap();
    assert!(nested.contains("Maximum recursion depth reached"), "{nested}");
    assert!(chained.contains("stack exhausted") || chained.contains("too deeply"), "{chained}");
}
