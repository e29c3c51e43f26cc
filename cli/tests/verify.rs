//! `hornet verify` from outside: what it refuses, which files it takes, solvers that are missing, die, or take too long,
//! and what is left when it is interrupted.

mod common;

use common::Folder;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn verify(args: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hornet")).arg("verify").args(args).arg(path).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(args: &[&str], path: &Path) -> (Value, Output) {
    let output = verify(&[&["--format", "json"], args].concat(), path);
    let value = serde_json::from_slice(&output.stdout);
    let value = value
        .unwrap_or_else(|e| panic!("{e}: {} {}", String::from_utf8_lossy(&output.stdout), stderr(&output)));
    (value, output)
}

/// Exit code 2 with a message that has all the words; the same as JSON.
fn refused(args: &[&str], path: &Path, words: &[&str]) {
    let output = verify(args, path);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty() && !message.contains("panicked"), "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
    let (value, output) = json(args, path);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    assert_eq!(value["diagnostics"][0]["severity"], "error");
    assert_eq!(value["checks"], Value::Array(Vec::new()));
}

fn names(value: &Value) -> Vec<String> {
    let functions = value["functions"].as_array().unwrap();
    functions
        .iter()
        .map(|f| format!("{}.{}", f["contract"].as_str().unwrap(), f["function"].as_str().unwrap()))
        .collect()
}

fn verdicts(value: &Value) -> Vec<&str> {
    value["checks"].as_array().unwrap().iter().map(|c| c["verdict"].as_str().unwrap()).collect()
}

#[test]
fn mistakes_in_annotations() {
    let folder = Folder::new("annotations");
    let with = |name: &str, annotation: &str| {
        let text = format!(
            "contract C {{\n    uint x;\n    /// @notice {annotation}\n    function f(uint a) public {{ x = a; }}\n}}\n"
        );
        folder.write(name, text)
    };
    refused(&[], &with("syntax.sol", "postcondition x == == a"), &["error", "syntax.sol:3:"]);
    refused(&[], &with("open.sol", "postcondition (x == a"), &["error", "open.sol:3:"]);
    refused(&[], &with("name.sol", "postcondition x == b"), &["error", "name.sol:3:", "b"]);
    refused(&[], &with("type.sol", "postcondition x"), &["error", "type.sol:3:", "bool"]);
    refused(&[], &with("mixed.sol", "precondition a == msg.sender"), &["error", "mixed.sol:3:"]);
    assert_eq!(verify(&[], &with("fine.sol", "postcondition x == a")).status.code(), Some(0));
}

#[test]
fn names_that_do_not_exist() {
    let folder = Folder::new("unknown-names");
    let path = folder.write(
        "a.sol",
        "contract Bank { function pay() public {} }\ncontract Shop { function buy() public {} }",
    );
    refused(&["--contract", "Nope"], &path, &["`Nope`", "`Bank`", "`Shop`"]);
    refused(&["--function", "nope"], &path, &["`nope`", "pay", "buy"]);
    refused(&["--contract", "Bank", "--function", "buy"], &path, &["`buy`", "pay"]);
    assert_eq!(names(&json(&["--function", "pay"], &path).0), ["Bank.pay"]);
    assert_eq!(names(&json(&["--function", "buy()"], &path).0), ["Shop.buy"]);
    let inner = "contract C { uint x; function f() public { g(); } function g() internal { x = 1; } }";
    refused(&["--function", "g"], &folder.write("inner.sol", inner), &["`g`", "calls it"]);
}

#[test]
fn usage() {
    let folder = Folder::new("verify-usage");
    let path = folder.write("a.sol", "contract C {}");
    let wrong = [
        &["--timeout", "never"][..],
        &["--timeout", "0"],
        &["--jobs", "0"],
        &["--arithmetic", "float"],
        &["--engine", "steam"],
        &["--format", "xml"],
        &["--remap", "nonsense"],
    ];
    for args in wrong {
        assert_eq!(verify(args, &path).status.code(), Some(2), "{args:?}");
    }
    refused(&[], &folder.0.join("missing.sol"), &["missing.sol"]);
    refused(&[], &folder.write("x.ir", ""), &["x.ir", "Solidity"]);
    refused(&["--dump-smt", "/proc/nowhere"], &path, &["--dump-smt", "/proc/nowhere"]);
}

#[test]
fn what_the_exit_code_tells_of() {
    let folder = Folder::new("fail-on");
    let proved =
        folder.write("proved.sol", "contract C { function f(uint8 x) public pure { assert(x < 256); } }");
    let violated =
        folder.write("violated.sol", "contract C { function f(uint8 x) public pure { assert(x < 9); } }");
    // Whether there is anything in the list, a function on its own cannot know.
    let open = "contract C { uint[] list; function f() public view returns (uint) { return list[0]; } }";
    let unproved = folder.write("unproved.sol", open);
    let broken = folder.write("broken.sol", "contract {");
    let codes = |args: &[&str]| {
        [&proved, &violated, &unproved, &broken]
            .map(|path| verify(&[&["--engine", "modular"], args].concat(), path).status.code().unwrap())
    };
    assert_eq!(codes(&[]), [0, 1, 3, 2]);
    assert_eq!(codes(&["--fail-on", "unproved"]), [0, 1, 3, 2]);
    assert_eq!(codes(&["--fail-on", "violated"]), [0, 1, 0, 2]);
    assert_eq!(codes(&["--fail-on", "never"]), [0, 0, 0, 2]);
}

/// Where there is no z3 program, the linked one does its work.
#[test]
fn the_builtin_solver() {
    let folder = Folder::new("builtin");
    let text = "contract C {
        /// @notice postcondition r >= x
        function up(uint8 x) public pure returns (uint16 r) { r = uint16(x) * 3; }
        /// @notice postcondition r > x
        function twice(uint8 x) public pure returns (uint16 r) { r = uint16(x) * 2; }
    }";
    let path = folder.write("a.sol", text);
    let (report, output) = json(&["--engine", "modular", "--solver", "builtin"], &path);
    assert_eq!(output.status.code(), Some(1));
    let of = |function: &str| {
        let checks = report["checks"].as_array().unwrap().iter();
        let found = checks.filter(|c| c["function"] == function && c["kind"] == "postcondition");
        found.map(|c| c["verdict"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((of("up"), of("twice")), (vec!["proved"], vec!["violated"]));
    let shown = verify(&["--engine", "modular", "--solver", "builtin"], &path);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("z3 5."), "the version of the library is told");
}

#[test]
fn folders() {
    let folder = Folder::new("folders");
    folder.write(
        "project/src/a.sol",
        "import \"./deep/b.sol\";\nimport \"../lib/l.sol\";\ncontract A is B, L { function a() public {} }",
    );
    folder.write("project/src/deep/b.sol", "contract B { function b() public {} }");
    folder.write("project/lib/l.sol", "contract L { function l() public {} }");
    folder.write("project/node_modules/n.sol", "this is not even Solidity");
    folder.write("empty/notes.txt", "nothing");
    refused(&[], &folder.0.join("empty"), &["empty", ".sol"]);
    let (value, output) = json(&[], &folder.0.join("project"));
    assert_eq!(output.status.code(), Some(0), "{value}");
    let mut contracts: Vec<String> =
        names(&value).iter().map(|n| n.split('.').next().unwrap().to_owned()).collect();
    contracts.dedup();
    // The library was imported, not asked for; what A inherits from it is part of A.
    assert_eq!(contracts, ["A", "B"]);
    assert!(names(&value).contains(&"A.l".to_owned()), "{value}");
    let files: Vec<&str> = value["functions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|f| f["location"]["file"].as_str())
        .collect();
    assert!(files.iter().all(|f| f.starts_with(folder.0.to_str().unwrap())), "{files:?}");
}

/// What a call relies on is verified in the same run, wherever it is written and whatever was asked for.
#[test]
fn claims_of_imported_files_are_verified() {
    let folder = Folder::new("imported-claims");
    let library = |result: u8| {
        format!(
            "library L {{\n/// @notice postcondition r == 1\nfunction one() internal pure returns (uint r) {{ return {result}; }}\n}}"
        )
    };
    let user = |library: &str| {
        format!(
            "import \"./{library}\";\ncontract C {{ function f() public pure {{ assert(L.one() == 1); }} }}"
        )
    };
    folder.write("Right.sol", library(1));
    folder.write("Wrong.sol", library(2));
    for (library, code) in [("Right.sol", 0), ("Wrong.sol", 1)] {
        let path = folder.write(&format!("User{library}"), user(library));
        for args in [&[][..], &["--function", "f"]] {
            let (value, output) = json(args, &path);
            assert_eq!(output.status.code(), Some(code), "{value}");
            assert!(names(&value).contains(&"C.L.one".to_owned()), "{value}");
        }
    }
}

/// Code that only contracts we were not asked about would run is verified on its own.
#[test]
fn code_used_elsewhere_is_verified_here() {
    let folder = Folder::new("used-elsewhere");
    let library = |bound: &str| {
        format!(
            "import \"./b.sol\";\nlibrary L {{ function f(uint x) internal pure {{ assert({bound}); }} }}\ncontract C {{}}"
        )
    };
    folder.write("b.sol", "import \"./a.sol\";\ncontract D { function h(uint x) public pure { L.f(x); } }");
    for (bound, code) in [("x >= 0", 0), ("x != 5", 1)] {
        let path = folder.write("a.sol", library(bound));
        let (value, output) = json(&[], &path);
        assert_eq!(output.status.code(), Some(code), "{value}");
        assert!(names(&value).contains(&"L.f".to_owned()), "{value}");
    }
}

/// Two factors of about 60 bits, as bit-vectors: nothing that a solver finds in a minute.
const HARD: &str = "pragma solidity ^0.8.0;
contract Hard {
    function factor(uint128 a, uint128 b) public pure {
        require(a > 1 && b > 1 && a < 2 ** 62 && b < 2 ** 62);
        unchecked {
            assert(a * b != 664613999031152985175871342411561083);
        }
    }
    function easy(uint128 a) public pure {
        require(a > 2);
        assert(a > 1);
    }
}
";

fn z3() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.toolchain/z3/bin/z3")
}

/// A program that does something before it is z3.
fn wrapper(folder: &Folder, before: &str) -> String {
    let script = format!("#!/bin/sh\n{before}\nexec {} \"$@\"\n", z3().display());
    let path = folder.write("wrapper.sh", script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn missing_solver() {
    let folder = Folder::new("missing-solver");
    let path = folder.write("a.sol", "contract C { function f() public { assert(true); } }");
    refused(&["--solver-bin", "/nonexistent/z3"], &path, &["/nonexistent/z3", "not found"]);
    refused(&["--solver", "frobnicate"], &path, &["frobnicate", "not found"]);
    refused(&["--solver", "z3", "--solver", "/no/such"], &path, &["/no/such"]);
}

#[test]
fn time_limit() {
    let folder = Folder::new("time-limit");
    let path = folder.write("hard.sol", HARD);
    let start = Instant::now();
    let (value, output) = json(&["--arithmetic", "bv", "--timeout", "1"], &path);
    assert_eq!(output.status.code(), Some(3), "{value}");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    assert_eq!(names(&value), ["Hard.[implicit_constructor]", "Hard.factor", "Hard.easy"]);
    assert_eq!(value["functions"][1]["verdict"], "timeout");
    assert_eq!(value["functions"][2]["verdict"], "ok");
    assert!(verdicts(&value).contains(&"unknown") && verdicts(&value).contains(&"proved"), "{value}");
    let text = verify(&["--arithmetic", "bv", "--timeout", "1"], &path);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("unknown: ") && text.contains("--timeout"), "{text}");
}

#[test]
fn whole_run_limit() {
    let folder = Folder::new("run-limit");
    let path = folder.write("hard.sol", HARD);
    let start = Instant::now();
    let (value, output) = json(&["--arithmetic", "bv", "--timeout", "100", "--total-timeout", "1"], &path);
    assert_eq!(output.status.code(), Some(3), "{value}");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
}

#[test]
fn solver_killed_in_mid_query() {
    let folder = Folder::new("killed-solver");
    let path = folder.write("hard.sol", HARD);
    let solver = wrapper(&folder, "(sleep 0.5; kill -9 $$) &");
    let start = Instant::now();
    let args = ["--arithmetic", "bv", "--function", "factor", "--timeout", "5", "--solver-bin", &solver];
    let (value, output) = json(&args, &path);
    assert_eq!(output.status.code(), Some(3), "{value}");
    assert!(start.elapsed() < Duration::from_secs(30), "took {:?}", start.elapsed());
    let reasons = value["checks"].to_string();
    assert!(verdicts(&value).contains(&"unknown") && !verdicts(&value).contains(&"violated"), "{reasons}");
    assert!(reasons.contains("ended unexpectedly"), "{reasons}");
}

/// As hard, over several transactions: for search and for Horn clauses.
const HARD_STATE: &str = "pragma solidity ^0.8.0;
contract HardState {
    uint128 a;
    uint128 b;
    function left(uint128 x) public {
        require(x > 1 && x < 2 ** 62);
        a = x;
    }
    function right(uint128 x) public {
        require(x > 1 && x < 2 ** 62);
        b = x;
    }
    function factor() public view {
        unchecked {
            assert(a * b != 664613999031152985175871342411561083);
        }
    }
}
";

/// Processes that have this in their environment.
fn marked(mark: &str) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_marked = |pid: &u32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == format!("MARK={mark}").as_bytes())
    };
    pids.filter(is_marked).collect()
}

/// Nobody is left a moment after the end.
fn nobody_left(mark: &str) {
    let end = Instant::now() + Duration::from_secs(2);
    while !marked(mark).is_empty() {
        assert!(Instant::now() < end, "still running: {:?}", marked(mark));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Every engine with too little of something: unknown, exit code 3, nobody left behind.
fn starved(name: &str, args: &[&str], limit: Duration) {
    let folder = Folder::new(name);
    let path = folder.write("hard.sol", HARD_STATE);
    for engine in ["auto", "horn", "bounded"] {
        let mark = format!("{name}-{engine}-{}", std::process::id());
        let start = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
            .args(["verify", "--format", "json", "--engine", engine])
            .args(args)
            .arg(&path)
            .env("MARK", &mark)
            .output()
            .unwrap();
        assert!(start.elapsed() < limit, "{engine} took {:?}", start.elapsed());
        assert_eq!(output.status.code(), Some(3), "{engine}: {}", stderr(&output));
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(verdicts(&value).contains(&"unknown"), "{engine}: {value}");
        assert!(!verdicts(&value).contains(&"violated"), "{engine}: {value}");
        nobody_left(&mark);
    }
}

#[test]
fn one_second_for_each_engine() {
    starved("one-second", &["--timeout", "1"], Duration::from_secs(30));
}

#[test]
fn hardly_any_memory() {
    starved("no-memory", &["--memory", "20", "--timeout", "5"], Duration::from_secs(60));
}

#[test]
fn interrupted_in_every_engine() {
    let folder = Folder::new("interrupted-engines");
    let path = folder.write("hard.sol", HARD_STATE);
    for engine in ["auto", "horn", "bounded"] {
        let mark = format!("interrupted-{engine}-{}", std::process::id());
        let mut hornet = Command::new(env!("CARGO_BIN_EXE_hornet"));
        hornet.args(["verify", "--engine", engine, "--timeout", "100"]).arg(&path).env("MARK", &mark);
        let child = hornet.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while marked(&mark).len() < 2 {
            assert!(start.elapsed() < Duration::from_secs(60), "{engine}: no solver was started");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_secs(1));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{engine}: {}", stderr(&output));
        nobody_left(&mark);
    }
}

#[test]
fn solver_that_is_none() {
    let folder = Folder::new("no-solver");
    let path = folder.write("hard.sol", HARD);
    let said = |program: &str| format!("`{program}` is not an SMT-LIB solver");
    for program in ["/bin/true", "/bin/cat", "/bin/echo", "/bin/ls"] {
        refused(&["--solver-bin", program], &path, &[&said(program)]);
        refused(&["--solver", "z3", "--solver", program], &path, &[&said(program)]);
    }
    // One that begins well and then says nothing of use.
    let liar = folder.write("liar.sh", "#!/bin/sh\nwhile read -r line; do echo success; done\n");
    std::fs::set_permissions(&liar, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (value, output) = json(&["--solver-bin", liar.to_str().unwrap(), "--timeout", "2"], &path);
    assert_eq!(output.status.code(), Some(3), "{value}");
    assert!(!verdicts(&value).contains(&"violated"), "{value}");
}

#[test]
fn interrupted() {
    let folder = Folder::new("interrupted");
    let path = folder.write("hard.sol", HARD);
    let pids = folder.0.join("pids");
    let solver = wrapper(&folder, &format!("[ \"$1\" = --version ] || echo $$ >> {}", pids.display()));
    let mut hornet = Command::new(env!("CARGO_BIN_EXE_hornet"));
    hornet.args([
        "verify",
        "--arithmetic",
        "bv",
        "--timeout",
        "100",
        "--function",
        "factor",
        "--solver-bin",
        &solver,
    ]);
    let child = hornet.arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    // The first is only asked whether it is a solver.
    while started(&pids).len() < 2 {
        assert!(start.elapsed() < Duration::from_secs(60), "no solver was started");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    let before = Instant::now();
    // This process and no group, as `kill -INT` does: the solvers get no signal of their own.
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(before.elapsed() < Duration::from_secs(5), "took {:?}", before.elapsed());
    std::thread::sleep(Duration::from_millis(100));
    for pid in started(&pids) {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        assert_ne!(name.trim(), "z3", "solver {pid} is still there");
    }
}

/// Process ids of solvers that were started.
fn started(pids: &Path) -> Vec<String> {
    std::fs::read_to_string(pids).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Everything but time and the values that solvers choose.
#[test]
fn the_same_every_time() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/verify/bank_reentrant.sol");
    let run = |jobs: &str| {
        let mut value = json(&["--engine", "modular", "--jobs", jobs], &path).0;
        for list in ["checks", "functions"] {
            for row in value[list].as_array_mut().unwrap() {
                row["time_ms"] = Value::Null;
                row["counterexample"] = Value::Null;
                row["attempts"] = Value::Null;
            }
        }
        value.to_string()
    };
    let first = run("1");
    assert!(first.contains("violated"));
    for jobs in ["1", "2", "4"] {
        assert!(run(jobs) == first, "{jobs} jobs change the report");
    }
}

/// A folder that stays empty in silence looks like a mistake.
#[test]
fn what_is_left_behind_is_told() {
    let folder = Folder::new("left-behind");
    let file = folder.write(
        "C.sol",
        "contract C { uint256 n; function up() public { if (n < 5) n++; } function check() public view { assert(n < 6); }
           function wrong(uint256 x) public pure { assert(x != 7); } }",
    );
    let told = |args: &[&str]| {
        let command = Command::new(env!("CARGO_BIN_EXE_hornet"))
            .arg("verify")
            .args(args)
            .arg(&file)
            .current_dir(&folder.0)
            .output();
        String::from_utf8_lossy(&command.unwrap().stdout).into_owned()
    };
    let text = told(&["--engine", "horn", "--certificate", "cert", "--function", "check"]);
    assert!(text.contains("wrote 1 proof into cert/"), "{text}");
    assert_eq!(std::fs::read_dir(folder.0.join("cert")).unwrap().count(), 1);
    let text = told(&["--test-out", "tests/", "--certificate", "none", "--function", "wrong"]);
    assert!(text.contains("wrote 1 test into tests/"), "{text}");
    assert!(text.contains("no proof by Horn clauses to write: nothing is proved"), "{text}");
    assert_eq!(std::fs::read_dir(folder.0.join("tests")).unwrap().count(), 1);
}
