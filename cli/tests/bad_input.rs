//! Whatever is in the input: exit code 2 and a clear message, no panic, no hang, no stack overflow.

mod common;

use common::Folder;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

struct Outcome {
    code: Option<i32>,
    stderr: String,
    time: Duration,
}

fn ir(path: &Path) -> Outcome {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_hornet")).arg("ir").arg(path).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Outcome { code: output.status.code(), stderr, time: start.elapsed() }
}

/// Exit code 2, one message that mentions all of `words`, and nothing endless on the screen.
fn refused(path: &Path, words: &[&str]) {
    let outcome = ir(path);
    let shown: String = outcome.stderr.chars().take(2000).collect();
    assert_eq!(outcome.code, Some(2), "{}: {shown}", path.display());
    assert!(!outcome.stderr.contains("panicked"), "{shown}");
    assert!(outcome.stderr.len() < 20_000, "{} bytes of messages: {shown}", outcome.stderr.len());
    for word in words {
        assert!(outcome.stderr.contains(word), "`{word}` is missing in: {shown}");
    }
    assert!(outcome.time < Duration::from_secs(60), "took {:?}", outcome.time);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("unreadable");
    refused(&folder.0.join("missing.sol"), &["error", "missing.sol"]);
    refused(&folder.0, &["error"]);
    refused(&folder.write("latin1.sol", b"contract C { string s = \"\xe9\"; }"), &["error", "UTF-8"]);
    let junk: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    refused(&folder.write("junk.sol", junk), &["error"]);
    refused(&folder.write("nul.sol", [0u8; 4096]), &["error"]);
    refused(&folder.write("junk.ir", "contract \u{7f} {"), &["error", "junk.ir"]);
    refused(&folder.write("bad.ir", [0xffu8; 10]), &["error"]);
}

#[test]
fn imports() {
    let folder = Folder::new("imports");
    refused(&folder.write("a.sol", "import \"./b.sol\";\ncontract A {}"), &["a.sol:1:8", "b.sol"]);
    // Files may import each other in a circle; contracts may not inherit in one.
    folder.write("x.sol", "import \"./y.sol\";\ncontract X is Y {}");
    refused(&folder.write("y.sol", "import \"./x.sol\";\ncontract Y is X {}"), &["error"]);
    folder.write("p.sol", "import \"./q.sol\";\ncontract P {}");
    let q = folder.write("q.sol", "import \"./p.sol\";\ncontract Q { P p; }");
    assert_eq!(ir(&q).code, Some(0), "{}", ir(&q).stderr);
    refused(&folder.write("self.sol", "import \"./self.sol\";\ncontract S is S {}"), &["error"]);
}

#[test]
fn names_and_pragmas() {
    let folder = Folder::new("names");
    refused(&folder.write("pragma.sol", "pragma solidity >=0.9.0;\ncontract C {}"), &["pragma.sol:1:"]);
    refused(&folder.write("nonsense.sol", "pragma solidity banana;\ncontract C {}"), &["nonsense.sol:1:"]);
    refused(
        &folder.write("name.sol", "contract C { function f() public { x = 1; } }"),
        &["name.sol:1:", "x"],
    );
    refused(&folder.write("type.sol", "contract C { Missing m; }"), &["type.sol:1:", "Missing"]);
    refused(&folder.write("base.sol", "contract C is Missing { }"), &["base.sol:1:", "Missing"]);
}

#[test]
fn nesting() {
    let folder = Folder::new("nesting");
    let deep = 10_000;
    let wrap = |open: &str, core: &str, close: &str| {
        format!(
            "contract C {{ function f(uint x) public returns (uint) {{ return {}{core}{}; }} }}",
            open.repeat(deep),
            close.repeat(deep)
        )
    };
    for (name, text) in [
        ("parens.sol", wrap("(", "x", ")")),
        ("minus.sol", wrap("~", "x", "")),
        ("index.sol", wrap("x[", "x", "]")),
        ("call.sol", wrap("f(", "x", ")")),
        ("sum.sol", wrap("", "x", " + x")),
        (
            "blocks.sol",
            format!("contract C {{ function f() public {{ {}{} }} }}", "{".repeat(deep), "}".repeat(deep)),
        ),
        ("ifs.sol", format!("contract C {{ function f() public {{ {} ; }} }}", "if (true) ".repeat(deep))),
        ("arrays.sol", format!("contract C {{ uint{} x; }}", "[]".repeat(deep))),
        (
            "maps.sol",
            format!("contract C {{ {}uint{} x; }}", "mapping(uint => ".repeat(deep), ")".repeat(deep)),
        ),
        ("open.sol", "{".repeat(100_000)),
        ("comment.sol", format!("/*{}", "*".repeat(100_000))),
        ("string.sol", format!("contract C {{ string s = \"{}", "a".repeat(100_000))),
    ] {
        let outcome = ir(&folder.write(name, text));
        let shown: String = outcome.stderr.chars().take(500).collect();
        // Accepted or refused, but with an answer.
        assert!(matches!(outcome.code, Some(0 | 2)), "{name}: {:?} {shown}", outcome.code);
        assert!(!outcome.stderr.contains("panicked"), "{name}: {shown}");
        assert!(outcome.stderr.len() < 20_000, "{name}: {} bytes of messages", outcome.stderr.len());
    }
}

#[test]
fn ten_megabytes() {
    let folder = Folder::new("large");
    let mut text = String::from("contract C {\n");
    let mut i = 0;
    while text.len() < 10_000_000 {
        let _ = writeln!(
            text,
            "    function f{i}(uint256 a) public pure returns (uint256) {{ return a + {i}; }}"
        );
        i += 1;
    }
    text.push_str("    function g() public { missing(); }\n}\n");
    refused(&folder.write("large.sol", &text), &["missing"]);
    // All on one line, which nobody wants to see quoted.
    let line: String = text[text.len() - 1_000_000..].lines().skip(1).collect();
    refused(&folder.write("line.sol", format!("contract C {{ {line}")), &["missing"]);
}

#[test]
fn usage() {
    let hornet = |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_hornet")).args(args).output().unwrap();
    for args in [&["frobnicate"][..], &["ir"], &["ir", "--nope", "x.sol"], &["run"]] {
        assert_eq!(hornet(args).status.code(), Some(2), "{args:?}");
    }
    let help = hornet(&["--help"]);
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("Examples:"));
    let version = String::from_utf8_lossy(&hornet(&["--version"]).stdout).into_owned();
    assert!(version.starts_with("hornet ") && version.contains("z3 "), "{version}");
}
