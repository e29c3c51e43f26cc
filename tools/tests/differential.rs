//! A fixed sample of `make differential`: generated contracts behave in the interpreter as solc's bytecode does on revm.

use hornet_evm::solc::Compilers;
use hornet_tools::differential::{Options, run};

#[test]
fn a_fixed_sample_of_generated_calls_is_the_same() {
    let compilers = Compilers::find().expect("solc is set up by `make test`");
    let report = run(&compilers, &Options { calls: 1, seed: 90_000, show: 1 });
    assert!(report.findings.is_empty(), "{}", report.findings.join("\n"));
    // A batch of contracts, many calls each, and a good part of them get past their first statement.
    assert!(report.same > 1_000, "{} calls", report.same);
    assert!(report.succeeded * 5 > report.same, "{} of {} succeed", report.succeeded, report.same);
}
