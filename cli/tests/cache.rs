//! What earlier runs found out is remembered: only where nothing has changed, whoever else is at work, and however the
//! earlier run ended.

mod common;

use common::Folder;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const SAFE: &str = "contract Safe {
    uint256 total;
    uint256 half;
    function add(uint256 n) public { require(n < 1000 && total < 1 << 200); total += 2 * n; half += n; }
    function look() public view { assert(total == 2 * half); }
}
";
const BROKEN: &str = "contract Broken {
    uint256 n;
    function up() public { require(n < 5); n++; }
    function look() public view { assert(n < 2); }
}
";

fn hornet(cache: &Folder, args: &[&str], path: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
    command.arg("verify").args(args).arg(path);
    command.env("HORNET_CACHE", &cache.0).env_remove("HORNET_NO_CACHE");
    command
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Whether the run says that it had nothing to do.
fn remembers(cache: &Folder, args: &[&str], path: &Path) -> bool {
    text(&hornet(cache, args, path).output().unwrap()).contains("nothing has changed")
}

/// The answers of a run, without how long they took.
fn answers(output: &Output) -> Value {
    let mut json: Value = serde_json::from_slice(&output.stdout).unwrap();
    for part in ["checks", "functions"] {
        for row in json[part].as_array_mut().unwrap() {
            let row = row.as_object_mut().unwrap();
            row.remove("time_ms");
            row.remove("attempts");
        }
    }
    json
}

fn verdicts(output: &Output) -> Vec<String> {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = json["checks"].as_array().unwrap().iter();
    checks.map(|c| format!("{} {}", c["location"]["line"], c["verdict"])).collect()
}

#[test]
fn unchanged_code_has_the_same_answers() {
    let (cache, sources) = (Folder::new("cache-same"), Folder::new("cache-same-src"));
    for (name, code) in [("Safe.sol", SAFE), ("Broken.sol", BROKEN)] {
        let path = sources.write(name, code);
        let run = || hornet(&cache, &["--format", "json"], &path).output().unwrap();
        let (first, second) = (run(), run());
        assert_eq!(answers(&first), answers(&second));
        assert_eq!(first.status.code(), second.status.code());
        assert!(remembers(&cache, &[], &path), "{name}");
        // The run that breaks it is shown again as it was.
        let (again, anew) = (["--errors-only"], ["--errors-only", "--no-cache"]);
        let shown = |args: &[&str]| text(&hornet(&cache, args, &path).output().unwrap());
        let finding = |shown: String| shown.lines().take_while(|l| !l.contains(" s · ")).count();
        assert_eq!(finding(shown(&again)), finding(shown(&anew)), "{name}");
    }
}

#[test]
fn whatever_differs_is_found_out_anew() {
    let (cache, sources) = (Folder::new("cache-differs"), Folder::new("cache-differs-src"));
    let path = sources.write("Safe.sol", SAFE);
    assert!(!remembers(&cache, &[], &path));
    assert!(remembers(&cache, &[], &path));
    assert!(!remembers(&cache, &["--no-cache"], &path));
    assert!(!remembers(&cache, &["--timeout", "9"], &path));
    assert!(!remembers(&cache, &["--contract", "Safe"], &path));
    let broken = SAFE.replace("half += n", "half += n + 1");
    let path = sources.write("Safe.sol", broken);
    let output = hornet(&cache, &["--format", "json"], &path).output().unwrap();
    assert!(verdicts(&output).contains(&"5 \"violated\"".to_owned()), "{:?}", verdicts(&output));
}

#[test]
fn contracts_that_a_change_does_not_reach_keep_their_answers() {
    let (cache, sources) = (Folder::new("cache-reach"), Folder::new("cache-reach-src"));
    sources.write("Broken.sol", BROKEN);
    sources.write("Safe.sol", SAFE);
    let run = || {
        let output = hornet(&cache, &["--format", "json"], &sources.0).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let of = |contract: &str, what: &str| {
            let checks = json["checks"].as_array().unwrap().iter();
            let own = checks.filter(|c| c["contract"] == contract && c["kind"] == "assertion");
            own.map(|c| c[what].clone()).collect::<Vec<_>>()
        };
        let mut attempts = of("Broken", "attempts");
        // Each function on its own is another question, for solvers.
        attempts[0].as_array_mut().unwrap().retain(|attempt| attempt["engine"] != "modular");
        (of("Safe", "verdict"), of("Broken", "verdict"), attempts)
    };
    let (safe, broken, attempts) = run();
    assert_eq!((&safe[0], &broken[0]), (&"proved".into(), &"violated".into()));
    sources.write("Safe.sol", SAFE.replace("half += n", "half += n + 1"));
    let (safe, broken, again) = run();
    assert_eq!((&safe[0], &broken[0]), (&"violated".into(), &"violated".into()));
    // Nobody takes as many milliseconds twice.
    assert_eq!(attempts, again);
    sources.write("Safe.sol", SAFE);
    sources.write("Broken.sol", BROKEN.replace("n < 2", "n <= 5"));
    let (safe, broken, _) = run();
    assert_eq!((&safe[0], &broken[0]), (&"proved".into(), &"proved".into()));
}

#[test]
fn damage_and_death_change_nothing() {
    let (cache, sources) = (Folder::new("cache-damage"), Folder::new("cache-damage-src"));
    let path = sources.write("Safe.sol", SAFE);
    let args = ["--format", "json"];
    let mut child = hornet(&cache, &args, &path).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(150));
    // SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    let expected = verdicts(&hornet(&cache, &args, &path).output().unwrap());
    assert_eq!(
        expected,
        verdicts(&hornet(&cache, &["--format", "json", "--no-cache"], &path).output().unwrap())
    );
    for folder in std::fs::read_dir(cache.0.join("answers")).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            std::fs::write(file.unwrap().path(), "unsat z3").unwrap();
        }
    }
    assert!(!remembers(&cache, &[], &path));
    assert_eq!(verdicts(&hornet(&cache, &args, &path).output().unwrap()), expected);
}

#[test]
fn several_at_once() {
    let (cache, sources) = (Folder::new("cache-several"), Folder::new("cache-several-src"));
    let path = sources.write("Both.sol", format!("{SAFE}{BROKEN}"));
    let start = || hornet(&cache, &["--format", "json"], &path).stdout(Stdio::piped()).spawn().unwrap();
    let children: Vec<_> = (0..3).map(|_| start()).collect();
    let outputs: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    assert!(outputs.iter().all(|output| verdicts(output) == verdicts(&outputs[0])));
    assert!(remembers(&cache, &[], &path));
}

/// A folder that nobody may write to is no reason to stop.
#[test]
fn nowhere_to_remember() {
    let sources = Folder::new("cache-nowhere");
    let path = sources.write("Safe.sol", SAFE);
    let nowhere = Folder("/dev/null/nowhere".into());
    let output = hornet(&nowhere, &["--format", "json"], &path).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

/// Of a contract in which one function has changed, only that one is asked about.
#[test]
fn questions_that_are_still_the_same_are_not_asked_again() {
    let (cache, sources) = (Folder::new("cache-questions"), Folder::new("cache-questions-src"));
    let log = sources.0.join("log");
    let z3 = Path::new(env!("HORNET_TOOLCHAIN")).join("z3/bin/z3");
    let script = format!("#!/bin/sh\ntee -a '{}' | '{}' \"$@\"\n", log.display(), z3.display());
    let solver = sources.write("z3", script);
    std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755)).unwrap();
    let code = |last: &str| {
        let function = |n: u32, body: &str| {
            format!(
                "function f{n}(uint256 a, uint256 b) public {{
                    require(a < b && b < {n}); x = a; {body} assert(x < {n});
                }}\n"
            )
        };
        let functions: String = (1..9).map(|n| function(n, "")).collect();
        format!("contract C {{\nuint256 x;\n{functions}{}}}\n", function(9, last))
    };
    let questions = |code: &str| {
        let path = sources.write("C.sol", code);
        let _ = std::fs::remove_file(&log);
        let args = ["--engine", "modular", "--solver-bin", solver.to_str().unwrap()];
        let output = hornet(&cache, &args, &path).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        std::fs::read_to_string(&log).unwrap_or_default().matches("(check-sat").count()
    };
    let all = questions(&code(""));
    let some = questions(&code("require(a != 4);"));
    assert!(all >= 9 && some >= 1 && some * 4 <= all, "{all} questions, then {some}");
    // A line more at the top moves everything and changes nothing.
    assert_eq!(questions(&format!("// moved\n{}", code("require(a != 4);"))), 0);
}

/// `--watch` verifies again when a file changes, also one that did not parse.
#[test]
fn changes_are_noticed() {
    let (cache, sources) = (Folder::new("cache-watch"), Folder::new("cache-watch-src"));
    let path = sources.write("Safe.sol", SAFE);
    let out = sources.0.join("out");
    let output = std::fs::File::create(&out).unwrap();
    let errors = output.try_clone().unwrap();
    let mut child = hornet(&cache, &["--watch"], &path).stdout(output).stderr(errors).spawn().unwrap();
    let wait_for = |what: &str, times: usize| {
        let seen = || std::fs::read_to_string(&out).unwrap().matches(what).count() >= times;
        let begun = std::time::Instant::now();
        while !seen() {
            assert!(begun.elapsed() < Duration::from_secs(120), "{}", std::fs::read_to_string(&out).unwrap());
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    wait_for("waiting for changes", 1);
    sources.write("Safe.sol", "contract Safe {");
    wait_for("waiting for changes", 2);
    sources.write("Safe.sol", BROKEN);
    wait_for("assertion can fail", 1);
    wait_for("waiting for changes", 3);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
