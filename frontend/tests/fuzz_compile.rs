//! The whole front end on damaged sources: errors have places, and what is accepted lowers to valid IR.

mod samples;

use hornet_frontend::parse::with_big_stack;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_frontend::{Compiled, compile, lower};
use hornet_ir::validate::validate;
use proptest::prelude::*;
use samples::{damaged, swapped, word};

fn run(text: &str) -> Compiled {
    let mut loader = Loader::new(LoadOptions::in_memory());
    loader.add_source("fuzz.sol", text);
    loader.add_source("other.sol", samples::OTHER);
    compile(loader.load_names(["fuzz.sol"]), lower::Options::default())
}

fn check(text: &str) {
    with_big_stack(|| check_here(text));
}

fn check_here(text: &str) {
    let compiled = run(text);
    for found in &compiled.diagnostics {
        if let Some(span) = found.span {
            let source = &compiled.sources.file(span.file).text;
            assert!(source.get(span.start as usize..span.end as usize).is_some(), "{found:?}");
        }
    }
    match &compiled.program {
        Some(program) => {
            let broken = validate(program);
            assert!(broken.is_empty(), "{text}\n{broken:#?}");
        }
        None => assert!(compiled.has_errors()),
    }
}

proptest! {
    #[test]
    fn damaged_sources(text in damaged()) {
        check(&text);
    }

    #[test]
    fn swapped_words(text in swapped()) {
        check(&text);
    }

    #[test]
    fn soup_in_a_function(words in prop::collection::vec(word(), 0..12)) {
        check(&format!("contract C {{ uint a; function f(uint x) public {{ {} }} }}", words.join(" ")));
    }
}

#[test]
fn samples_are_accepted() {
    for source in samples::SOURCES {
        with_big_stack(|| {
            let compiled = run(source);
            assert!(!compiled.has_errors(), "{source}\n{:#?}", compiled.diagnostics);
            check_here(source);
        });
    }
}

/// Programs at the limits of nesting must not exhaust the stack of any pass.
#[test]
fn deep_programs() {
    let many = |s: &str, n: usize| s.repeat(n);
    for body in [
        format!("x = {}x{};", many("(", 240), many(")", 240)),
        format!("x = x{};", many(" + x", 1_900)),
        format!("x = 1{};", many(" + 1", 1_900)),
        format!("b = b{};", many(" && b", 1_900)),
        format!("b = {}b;", many("!", 1_900)),
        format!("x = {}x;", many("~", 1_900)),
        format!("x = {}x;", many("b ? x : ", 1_000)),
        format!("{}x = 1;", many("if (b) x = 2; else ", 400)),
        format!("{}x = 1;", many("if (b) ", 600)),
        format!("{}x = 1;", many("while (b) ", 600)),
        format!("{}x = 1;{}", many("{", 240), many("}", 240)),
        format!("x = {}x{};", many("f(", 240), many(")", 240)),
        format!("uint{} memory y;", many("[]", 1_000)),
        format!("assembly {{ x := {}x{} }}", many("add(1, ", 240), many(")", 240)),
        format!("assembly {{ {}{} }}", many("{", 240), many("}", 240)),
    ] {
        check(&format!(
            "contract C {{ uint x; bool b; function f(uint y) internal returns (uint) {{ return y; }} \
             function g() public {{ {body} }} }}"
        ));
    }
}

/// Inputs that once went wrong.
#[test]
fn regressions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/regressions");
    for entry in std::fs::read_dir(folder).expect("the folder of regressions") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        check(&String::from_utf8_lossy(&bytes));
    }
}
