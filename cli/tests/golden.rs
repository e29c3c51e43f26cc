//! One file per case, expected output beside it. `HORNET_BLESS=1` (or `make bless`) writes what came out instead of
//! comparing; the difference is then reviewed as code.
//!
//! Lines at the top of a case say how it is run: `// args: …` (words for the command line), `// call: …` (one
//! `--call`), `// evm` (compare with the EVM). What `verify` must say of a case is stated there too, so that blessing cannot
//! change it: `// fails: C.f C.g` (all other functions are fine), `// undecided: C.h`, `// warns: words` (the words in some
//! warning).

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Case {
    file: String,
    args: Vec<String>,
}

fn testdata(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata").join(folder)
}

fn cases(folder: &str) -> Vec<Case> {
    let mut files: Vec<String> = std::fs::read_dir(testdata(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".sol"))
        .collect();
    files.sort();
    files.into_iter().map(|file| Case { args: directives(&testdata(folder).join(&file)), file }).collect()
}

fn directives(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut args = Vec::new();
    for line in text.lines().take_while(|l| l.starts_with("//")) {
        if let Some(words) = line.strip_prefix("// args: ") {
            args.extend(words.split_whitespace().map(str::to_owned));
        } else if let Some(call) = line.strip_prefix("// call: ") {
            args.extend(["--call".to_owned(), call.to_owned()]);
        } else if line == "// evm" {
            args.push("--evm".to_owned());
        }
    }
    args
}

fn hornet(folder: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hornet")).args(args).current_dir(testdata(folder)).output().unwrap()
}

fn run_case(folder: &str, command: &str, case: &Case) -> Output {
    let mut args = vec![command, "--root", ".", &case.file];
    args.extend(case.args.iter().map(String::as_str));
    // These cases are about annotations, and what is said of each function on its own.
    if command == "verify" && !case.args.iter().any(|arg| arg == "--engine") {
        args.extend(["--engine", "modular"]);
    }
    // What a case shows must not depend on how busy the machine is.
    if command == "verify" && !case.args.iter().any(|arg| arg == "--timeout") {
        args.extend(["--timeout", "300"]);
    }
    hornet(folder, &args)
}

/// Everything a user would see, and the exit code if it is not 0.
fn transcript(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.stderr.is_empty() {
        text.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => text.push_str(&format!("exit code {code}\n")),
        None => text.push_str("killed by a signal\n"),
    }
    portable(&text)
}

/// Without the folder of this checkout.
fn portable(text: &str) -> String {
    let root = std::fs::canonicalize(testdata("")).unwrap();
    text.replace(root.to_str().unwrap(), "…/testdata")
}

/// Compares with the file beside the case, or writes it.
fn compare(folder: &str, case: &Case, extension: &str, actual: &str, failures: &mut Vec<String>) {
    let path = testdata(folder).join(&case.file).with_extension(extension);
    if std::env::var_os("HORNET_BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    if expected != actual {
        failures.push(format!("{folder}/{}:\n{}", case.file, difference(&expected, actual)));
    }
}

/// The first lines that differ.
fn difference(expected: &str, actual: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let first = a.iter().zip(&b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    let part = |lines: &[&str], mark: &str| {
        let shown: Vec<String> = lines.iter().skip(first).take(5).map(|l| format!("{mark} {l}")).collect();
        shown.join("\n")
    };
    format!("line {}:\n{}\n{}", first + 1, part(&a, "-"), part(&b, "+"))
}

fn finish(failures: &[String]) {
    assert!(
        failures.is_empty(),
        "{}\n\n{} golden file(s) differ; `make bless` accepts",
        failures.join("\n\n"),
        failures.len()
    );
}

#[test]
fn ir() {
    let mut failures = Vec::new();
    for case in cases("ir") {
        let output = run_case("ir", "ir", &case);
        // Warnings as comments, so that the file is still IR.
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        for line in String::from_utf8_lossy(&output.stderr).lines() {
            text.push_str(format!("// {line}").trim_end());
            text.push('\n');
        }
        assert_eq!(output.status.code(), Some(0), "{}: {text}", case.file);
        compare("ir", &case, "ir", &text, &mut failures);
    }
    finish(&failures);
}

/// Every case as a whole is well formed and can be read back from its text.
#[test]
fn ir_round_trips() {
    let folder = std::env::temp_dir().join(format!("hornet-golden-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for kind in ["ir", "run", "demo", "verify"] {
        for case in cases(kind) {
            let output = hornet(kind, &["ir", "--check", "--root", ".", &case.file]);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{kind}/{}: {stderr}", case.file);
            let copy = folder.join("copy.ir");
            std::fs::write(&copy, &output.stdout).unwrap();
            let again = hornet(kind, &["ir", "--check", copy.to_str().unwrap()]);
            let stderr = String::from_utf8_lossy(&again.stderr);
            assert_eq!(again.status.code(), Some(0), "{kind}/{}: {stderr}", case.file);
            assert!(again.stdout == output.stdout, "{kind}/{} does not round-trip", case.file);
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn errors() {
    let mut failures = Vec::new();
    for case in cases("errors") {
        let output = run_case("errors", "ir", &case);
        assert_eq!(output.status.code(), Some(2), "{}", case.file);
        assert!(output.stdout.is_empty(), "{} printed something", case.file);
        let text = portable(&String::from_utf8_lossy(&output.stderr));
        compare("errors", &case, "stderr", &text, &mut failures);
    }
    finish(&failures);
}

#[test]
fn run() {
    let mut failures = Vec::new();
    for case in cases("run") {
        let output = run_case("run", "run", &case);
        compare("run", &case, "out", &transcript(&output), &mut failures);
    }
    finish(&failures);
}

#[test]
fn verify() {
    let mut failures = Vec::new();
    for case in cases("verify") {
        let output = run_case("verify", "verify", &case);
        let progress_lines =
            String::from_utf8_lossy(&output.stderr).lines().all(|l| l.starts_with("hornet: "));
        assert!(progress_lines, "{}: {}", case.file, String::from_utf8_lossy(&output.stderr));
        let output = Output { stderr: Vec::new(), ..output };
        compare("verify", &case, "out", &any_values(&timeless(&transcript(&output))), &mut failures);
    }
    finish(&failures);
}

/// Without what differs from run to run and from machine to machine: seconds and versions.
fn timeless(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let number = |word: &str| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let masked = words.iter().map(|word| match word.split_once('\n') {
        None if number(word) => "…".to_owned(),
        Some((first, rest)) if number(first) => format!("…\n{rest}"),
        _ => (*word).to_owned(),
    });
    masked.collect::<Vec<_>>().join(" ")
}

/// Counterexamples with the names they speak of but not the values: solvers choose among many.
fn any_values(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    // Inside a table: the section that rows belong to, which only its first row names.
    let mut section: Option<String> = None;
    for line in text.lines() {
        let row =
            line.trim_start().split_once(" = ").filter(|_| section.is_some() && !line.contains("= help"));
        let Some((left, _)) = row else {
            section = line.ends_with("= for example:").then(String::new);
            out.push(line.to_owned());
            continue;
        };
        let titles = ["called with", "environment", "before", "locals", "after"];
        let title = titles.iter().find(|title| left.starts_with(&format!("{title:<13}")));
        let name = title.map_or(left, |_| &left[13..]).trim();
        let section = section.get_or_insert_default();
        if let Some(title) = title {
            *section = (*title).to_owned();
        }
        let masked = format!("       {section:<11}  {} = …", without_keys(name));
        // Our own address shows up only where the solver happens to use it again, and what is after only where it
        // happens to differ from before.
        if name != "this" && section != "after" && out.last() != Some(&masked) {
            out.push(masked);
        }
    }
    out.join("\n") + "\n"
}

/// `balances[0x05]` as `balances[…]`.
fn without_keys(name: &str) -> String {
    match (name.find('['), name.rfind(']')) {
        (Some(open), Some(close)) if open < close => format!("{}[…]{}", &name[..open], &name[close + 1..]),
        _ => name.to_owned(),
    }
}

/// Where only one value fails, it is that one.
#[test]
fn counterexamples() {
    let cases = [
        ("language_checks_broken.sol", "phase", "parameters", "n", "3"),
        ("cases_broken.sol", "turn", "state_before", "level", "10"),
        ("cases_broken.sol", "turn", "state_after", "level", "11"),
        ("counter_broken.sol", "up", "state_before", "count", "100"),
        ("counter_broken.sol", "up", "state_after", "count", "101"),
        ("overloads.sol", "area", "parameters", "b", "1002"),
    ];
    for (file, function, group, name, value) in cases {
        let output = hornet(
            "verify",
            &["verify", "--engine", "modular", "--format", "json", "--function", function, file],
        );
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = json["checks"].as_array().unwrap();
        let failed = checks.iter().find(|c| c["verdict"] == "violated").unwrap();
        assert_eq!(failed["function"], function, "{failed}");
        let bindings = failed["counterexample"][group].as_array().unwrap();
        let binding = serde_json::json!({"name": name, "value": value});
        assert!(bindings.contains(&binding), "{file}: no {binding} in {failed}");
    }
}

/// What the case itself says must come out.
struct Expected {
    fails: Vec<String>,
    undecided: Vec<String>,
    warns: Vec<String>,
}

impl Expected {
    fn of(file: &str) -> Expected {
        let text = std::fs::read_to_string(testdata("verify").join(file)).unwrap();
        let after = |mark: &'static str| text.lines().filter_map(move |l| l.strip_prefix(mark));
        let words = |mark| after(mark).flat_map(str::split_whitespace).map(str::to_owned).collect();
        Expected {
            fails: words("// fails: "),
            undecided: words("// undecided: "),
            warns: after("// warns: ").map(str::to_owned).collect(),
        }
    }

    fn exit_code(&self) -> i32 {
        match (self.fails.is_empty(), self.undecided.is_empty()) {
            (false, _) => 1,
            (true, false) => 3,
            (true, true) => 0,
        }
    }

    fn verdict(&self, function: &str) -> &'static str {
        let named = |list: &[String]| list.iter().any(|f| f == function);
        match (named(&self.fails), named(&self.undecided)) {
            (true, _) => "fails",
            (false, true) => "undecided",
            (false, false) => "fine",
        }
    }
}

#[test]
fn verify_says_what_the_cases_expect() {
    let mut failures = Vec::new();
    for mut case in cases("verify") {
        case.args.extend(["--format", "json"].map(str::to_owned));
        let output = run_case("verify", "verify", &case);
        let stdout = String::from_utf8_lossy(&output.stdout);
        let json: Value =
            serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{}: {e}: {stdout}", case.file));
        let expected = Expected::of(&case.file);
        let mut wrong = disagreements(&json, &expected);
        if output.status.code() != Some(expected.exit_code()) {
            wrong.push(format!("{:?}", output.status));
        }
        failures.extend(wrong.iter().map(|what| format!("{}: {what}", case.file)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn disagreements(json: &Value, expected: &Expected) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for function in json["functions"].as_array().unwrap() {
        let name = qualified(function);
        let verdict = outcome(json, function);
        if verdict != expected.verdict(&name) {
            wrong.push(format!("{name} {verdict}"));
        }
        seen.push(name);
    }
    let named = expected.fails.iter().chain(&expected.undecided);
    wrong.extend(named.filter(|name| !seen.contains(name)).map(|name| format!("there is no {name}")));
    if seen.is_empty() {
        wrong.push("nothing was verified".to_owned());
    }
    let warnings: Vec<&str> =
        json["diagnostics"].as_array().unwrap().iter().map(|d| text(&d["message"])).collect();
    let missing = expected.warns.iter().filter(|words| !warnings.iter().any(|w| w.contains(words.as_str())));
    wrong.extend(missing.map(|words| format!("no warning says `{words}`: {warnings:?}")));
    if expected.warns.is_empty() && !warnings.is_empty() {
        wrong.push(format!("warnings: {warnings:?}"));
    }
    wrong
}

/// What the checks of a function say together.
fn outcome(json: &Value, function: &Value) -> &'static str {
    let name = qualified(function);
    let checks = json["checks"].as_array().unwrap();
    let verdicts: Vec<&str> =
        checks.iter().filter(|c| qualified(c) == name).map(|c| text(&c["verdict"])).collect();
    let own = text(&function["verdict"]);
    if verdicts.contains(&"violated") {
        assert_eq!(own, "error", "{name}");
        "fails"
    } else if own != "ok" || verdicts.iter().any(|v| *v != "proved") {
        "undecided"
    } else {
        "fine"
    }
}

/// `Contract.function`, with parameters where names are overloaded.
fn qualified(row: &Value) -> String {
    let own = row["signature"].as_str().unwrap_or(text(&row["function"]));
    format!("{}.{own}", text(&row["contract"]))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}
