//! One file per case, expected output beside it. `HORNET_BLESS=1` (or `make bless`) writes what came out instead of
//! comparing; the difference is then reviewed as code.
//!
//! Lines at the top of a case say how it is run: `// args: …` (words for the command line), `// call: …` (one
//! `--call`), `// evm` (compare with the EVM).

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
    for kind in ["ir", "run", "demo"] {
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
