//! Contracts with their classes beside them: `testdata/gas-classes`. `HORNET_BLESS=1` writes what is found.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::subject::Contract;
use hornet_evm::machine::Fork;
use hornet_gas::classes::{Class, FunctionClasses, Measure, Method};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/gas-classes")
}

/// The rules that the first lines ask for.
fn fork(text: &str) -> Fork {
    let named = text.lines().find_map(|line| line.strip_prefix("// fork: "));
    named.map_or(Fork::Osaka, |name| Fork::from_name(name).expect("a fork of this name"))
}

/// `// measure: transaction`, or execution.
fn measure(text: &str) -> Measure {
    match text.lines().any(|line| line == "// measure: transaction") {
        true => Measure::Transaction,
        false => Measure::Execution,
    }
}

/// Gas of the code, and what of it is given back.
fn price(class: &Class, measure: Measure) -> String {
    match (measure, class.witness.measurement.refund) {
        (Measure::Execution, _) | (Measure::Transaction, 0) => class.own().to_string(),
        (Measure::Transaction, refund) => format!("{} - {refund}", class.own()),
    }
}

/// How far trying gets beyond what is predicted depends on the machine.
fn predicted(function: &FunctionClasses) -> impl Iterator<Item = &Class> {
    function.classes.iter().filter(|class| !class.conditions.is_empty())
}

fn told(functions: &[FunctionClasses], measure: Measure) -> String {
    let mut text = String::new();
    for function in functions {
        let state = function.why_incomplete.as_deref().unwrap_or("complete");
        let _ = writeln!(text, "{}: {state}", function.function);
        for class in predicted(function) {
            let _ = writeln!(text, "  {:?} {}", class.outcome, price(class, measure));
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
        let measure = measure(&text);
        let [whole, shared] =
            [Method::WholeProgram, Method::ByFunction].map(|method| contract.measured(method, measure));
        let found = told(&shared, measure);
        let expected = case.with_extension("classes");
        if bless {
            std::fs::write(&expected, &found).expect("expected output");
        }
        let before = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(found, before, "{}", case.display());
        // Both methods find the same prices.
        for (a, b) in whole.iter().zip(&shared) {
            let prices = |f: &FunctionClasses| predicted(f).map(|c| price(c, measure)).collect::<Vec<_>>();
            assert_eq!(prices(a), prices(b), "{} of {}", a.function, case.display());
        }
    }
}
