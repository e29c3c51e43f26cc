//! What shells and `man` are told about the command line.

mod common;

use common::Folder;
use std::process::{Command, Output};

fn hornet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hornet")).args(args).output().unwrap()
}

fn printed(args: &[&str]) -> String {
    let output = hornet(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn completions_know_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for word in ["hornet", "verify", "completions", "fail-on"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    assert_eq!(hornet(&["completions", "abacus"]).status.code(), Some(2));
}

#[test]
fn pages_tell_what_help_tells() {
    let overview = printed(&["man"]);
    assert!(overview.contains(".SH EXAMPLES") && overview.contains("hornet\\-verify(1)"), "{overview}");
    let verify = printed(&["man", "verify"]);
    assert!(verify.contains("\\-\\-fail\\-on") && verify.contains("Exit codes: 0"), "{verify}");
    // Examples stay in lines of their own.
    let examples = verify.split(".nf\n").nth(1).unwrap();
    assert!(examples.starts_with("  hornet verify "), "{examples}");

    let unknown = hornet(&["man", "fly"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("there is no command `fly`; there are verify"));
}

#[test]
fn all_pages_go_to_a_folder() {
    let folder = Folder::new("man");
    let there = folder.0.join("man1");
    printed(&["man", "--out", there.to_str().unwrap()]);
    for page in ["hornet.1", "hornet-verify.1", "hornet-ir.1", "hornet-run.1"] {
        let text = std::fs::read_to_string(there.join(page)).unwrap();
        assert!(text.contains(".SH NAME"), "{page}: {text}");
    }
    let in_the_way = folder.write("file", "");
    assert_eq!(hornet(&["man", "--out", in_the_way.to_str().unwrap()]).status.code(), Some(2));
}
