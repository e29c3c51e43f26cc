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

/// Whether the source was accepted.
fn check_here(text: &str) -> bool {
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
            true
        }
        None => {
            assert!(compiled.has_errors());
            false
        }
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
    fn soup_in_an_annotation(
        keyword in prop::sample::select(vec!["invariant", "precondition", "postcondition", "modifies", "emits"]),
        words in prop::collection::vec(word(), 0..8),
        more in prop::collection::vec(prop::sample::select(vec![
            "sum(m)", "old(a)", "forall (uint i)", "exists (address p)", "property(l) (i)", "m[_]", "eq(l, l)", "a", "x",
            "r", "==", "&&", "||", "+", "-", "(", ")", "!", "?", ":", "1", "m[p]", "l[i]", "l.length", "before(a)", "g(x)",
        ]), 0..12),
    ) {
        let text = format!("@notice {keyword} {} {}", words.join(" "), more.join(" "));
        check(&format!(
            "/// {text}\ncontract C {{ uint a; mapping(address => uint) m; uint[] l;\n
            function g(uint q) internal view returns (uint) {{ return q + a; }}\n
            /// {text}\nfunction f(uint x) public returns (uint r) {{\n /// {text}\nfor (uint i = 0; i < x; i++) a++; }}\n
            /// {text}\nevent E(uint x); }}"
        ));
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

/// A long run over sources kept elsewhere: `HORNET_FUZZ_SEEDS=DIR [HORNET_FUZZ_ROUNDS=10] cargo test -p
/// hornet-frontend --test fuzz_compile -- --ignored`. Prints every source that makes a pass panic or take
/// seconds.
#[test]
#[ignore = "needs a folder of sources"]
fn external_seeds() {
    let folder = std::env::var("HORNET_FUZZ_SEEDS").expect("HORNET_FUZZ_SEEDS names a folder");
    let rounds = std::env::var("HORNET_FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(10u32);
    let mut files = Vec::new();
    collect(std::path::Path::new(&folder), &mut files);
    files.sort();
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n.max(1) as u64) as usize
    };
    let (mut accepted, mut runs, mut failures) = (0, 0, 0);
    for path in files {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        for round in 0..rounds {
            let mut tokens = samples::tokens(&source);
            for _ in 0..round.min(4) * u32::from(!tokens.is_empty()) {
                let (at, from) = (random(usize::MAX), random(usize::MAX));
                samples::swap_one(&mut tokens, |n| at % n, |n| from % n);
            }
            let text = tokens.concat();
            runs += 1;
            let start = std::time::Instant::now();
            let outcome = std::panic::catch_unwind(|| with_big_stack(|| check_here(&text)));
            if start.elapsed().as_secs() >= 3 {
                println!("== slow, {:?}: {}\n{text}", start.elapsed(), path.display());
            }
            match outcome {
                Ok(good) => accepted += usize::from(good),
                Err(_) => {
                    failures += 1;
                    println!("== {}\n{text}", path.display());
                }
            }
        }
    }
    println!("{runs} runs, {accepted} accepted, {failures} failures");
    assert_eq!(failures, 0);
}

fn collect(path: &std::path::Path, into: &mut Vec<std::path::PathBuf>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), into));
    } else if path.extension().is_some_and(|e| e == "sol") {
        into.push(path.to_path_buf());
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
