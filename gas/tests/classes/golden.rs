//! Contracts with their classes beside them: `testdata/gas-classes`. `HORNET_BLESS=1` writes what is found.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::subject::Contract;
use hornet_evm::machine::Fork;
use hornet_gas::classes::{FunctionClasses, Method};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/gas-classes")
}

/// The rules that the first lines ask for.
fn fork(text: &str) -> Fork {
    let named = text.lines().find_map(|line| line.strip_prefix("// fork: "));
    named.map_or(Fork::Osaka, |name| Fork::from_name(name).expect("a fork of this name"))
}

fn told(functions: &[FunctionClasses]) -> String {
    let mut text = String::new();
    for function in functions {
        let state = function.why_incomplete.as_deref().unwrap_or("complete");
        let _ = writeln!(text, "{}: {state}", function.function);
        for class in &function.classes {
            let _ = writeln!(text, "  {:?} {}", class.outcome, class.own());
            for condition in &class.conditions {
                let _ = writeln!(text, "    {condition}");
            }
        }
    }
    text
}

#[test]
fn classes_are_what_they_were() {
    let bless = std::env::var_os("HORNET_BLESS").is_some();
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("testdata")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == "sol"))
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    for case in cases {
        let text = std::fs::read_to_string(&case).expect("a case");
        let contract = Contract::new(&text, fork(&text));
        let [whole, shared] =
            [Method::WholeProgram, Method::ByFunction].map(|method| contract.classes(method));
        let found = told(&shared);
        let expected = case.with_extension("classes");
        if bless {
            std::fs::write(&expected, &found).expect("expected output");
        }
        let before = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(found, before, "{}", case.display());
        // Both methods find the same prices.
        for (a, b) in whole.iter().zip(&shared) {
            let prices = |f: &FunctionClasses| f.classes.iter().map(|c| c.own()).collect::<Vec<_>>();
            assert_eq!(prices(a), prices(b), "{} of {}", a.function, case.display());
        }
    }
}
