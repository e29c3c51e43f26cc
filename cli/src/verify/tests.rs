//! Reports that no engine had to find.

use super::evidence::{Attempt, By, Evidence};
use super::summary::Summary;
use super::text::{Results, Style};
use crate::sources::SourceFiles;
use crate::style::Screen;
use hornet_encoder::{
    Binding, Check, Counterexample, FunctionReport, FunctionVerdict, Report, Verdict, Warning,
};
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_ir::ids::ContractId;
use hornet_ir::program::ObligationKind;
use hornet_ir::span::{FileId, Span};
use std::time::Duration;

const SOURCE: &str = "/// @notice invariant x == y
contract Base {
    uint x;
    uint y;
    function inc(uint by) public {
        x += by;
    }
    function raw() public {
        assembly { pop(gas()) }
        assert(x == 1);
        assert(y == 1);
    }
}
contract Derived is Base {}
";

fn span(text: &str) -> Span {
    let start = SOURCE.find(text).unwrap();
    Span::new(FileId(0), start, start + text.len())
}

fn function(contract: u32, name: &str, verdict: FunctionVerdict) -> FunctionReport {
    FunctionReport {
        inside: false,
        body: None,
        contract: ContractId(contract),
        name: name.into(),
        signature: None,
        span: span("function inc(uint by) public {\n        x += by;\n    }"),
        verdict,
        unsupported: Vec::new(),
        own: contract == 0,
        time: Duration::from_millis(20),
    }
}

fn check(function: usize, kind: ObligationKind, at: &str, verdict: Verdict) -> Check {
    Check {
        kind,
        function,
        span: span(at),
        annotation: None,
        related: Vec::new(),
        message: "this might not hold".into(),
        verdict,
        counterexample: None,
        solver: Some("z3".into()),
        time: Duration::from_secs(10),
    }
}

fn invariant(function: usize) -> Check {
    let binding = |name: &str, value: &str| Binding { name: name.into(), value: value.into() };
    Check {
        annotation: Some((span("invariant x == y"), "x == y".into())),
        message: "invariant `x == y` might not hold at the end of the function".into(),
        counterexample: Some(Counterexample {
            parameters: vec![binding("by", "1")],
            state_before: vec![binding("x", "0"), binding("y", "0")],
            state_after: vec![binding("x", "1")],
            ..Counterexample::default()
        }),
        ..check(
            function,
            ObligationKind::Invariant,
            "function inc(uint by) public {\n        x",
            Verdict::Violated,
        )
    }
}

fn report() -> Report {
    let not_modelled =
        || Verdict::Unsupported { what: "inline assembly".into(), span: Some(span("pop(gas())")) };
    Report {
        functions: vec![
            function(0, "inc", FunctionVerdict::Error),
            function(0, "raw", FunctionVerdict::Skipped),
            function(1, "inc", FunctionVerdict::Error),
            function(1, "slow", FunctionVerdict::TimeOut),
        ],
        checks: vec![
            invariant(0),
            check(0, ObligationKind::Overflow, "x += by", Verdict::Proved),
            check(1, ObligationKind::Assertion, "assert(x == 1)", not_modelled()),
            check(1, ObligationKind::Assertion, "assert(y == 1)", not_modelled()),
            invariant(2),
            check(
                3,
                ObligationKind::Assertion,
                "assert(y == 1)",
                Verdict::Unknown("time limit reached".into()),
            ),
        ],
        warnings: vec![Warning {
            span: span("invariant x == y"),
            message: "the invariants contradict each other".into(),
            help: None,
        }],
    }
}

fn evidence(report: &Report) -> Vec<Evidence> {
    let attempt = |check: &Check| Attempt { by: By::Modular, time: check.time, broken: false };
    report.checks.iter().map(|c| Evidence { attempts: vec![attempt(c)], ..Evidence::default() }).collect()
}

fn rendered(show_proved: bool, errors_only: bool, colour: bool) -> String {
    let mut loader = Loader::new(LoadOptions::in_memory());
    loader.add_source("a.sol", SOURCE);
    let compiled = hornet_frontend::compile(loader.load_names(["a.sol"]), Default::default());
    let files = SourceFiles::new(&compiled.sources);
    let report = report();
    let results = Results {
        program: &compiled.program.unwrap(),
        files: &files,
        report: &report,
        evidence: &evidence(&report),
        diagnostics: &[],
        time_limit: Duration::from_secs(10),
        accepted: &[],
    };
    let summary = Summary {
        left_out: Vec::new(),
        time: Duration::from_millis(840),
        solvers: vec!["z3 5.3.2".into()],
        remembered: false,
        gas: None,
        left_behind: Vec::new(),
    };
    results.render(
        Style { screen: Screen { colour, width: Some(80) }, show_proved, errors_only, explain: false },
        &summary,
    )
}

const VIOLATED: &str = "\
violated: invariant `x == y` might not hold at the end of the function
  ┌─ a.sol:5:5
  │
1 │ /// @notice invariant x == y
  │             ---------------- this invariant
  ·
5 │     function inc(uint by) public {
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in `Base.inc`
  │
  = also in `Derived.inc`
  = for example:
      called with  by = 1
      before       x  = 0
                   y  = 0
      after        x  = 1
  = help: possibly not reachable: if the state before cannot occur, add an
      invariant that excludes it

";
const UNDECIDED: &str = "\
unknown: this might not hold
   ┌─ a.sol:11:9
   │
11 │         assert(y == 1);
   │         ^^^^^^^^^^^^^^ in `Derived.slow`
   │
   = not decided: time limit reached
   = tried: each function on its own 10.00 s
   = help: more time (`--timeout 60`), another solver (`--solver cvc5`), or
       simpler annotations

unsupported: inline assembly
  ┌─ a.sol:9:20
  │
9 │         assembly { pop(gas()) }
  │                    ^^^^^^^^^^ not modelled
  │
  = 2 checks in `Base.raw` not decided because of this

warning: the invariants contradict each other
  ┌─ a.sol:1:13
  │
1 │ /// @notice invariant x == y
  │             ^^^^^^^^^^^^^^^^

";
const SUMMARY: &str = "  \
  Base   1 proved · 1 violated · 2 unsupported                            0.04 s
    inc ✗   raw –
  Derived   1 violated · 1 unknown                                        0.04 s
    inc ✗   slow ?
  2 contracts · 1 proved · 2 violated · 1 unknown · 2 unsupported   0.84 s · z3 5.3.2
";

#[test]
fn everything_there_is_to_say() {
    assert_eq!(rendered(false, false, false), [VIOLATED, UNDECIDED, SUMMARY].concat());
}

#[test]
fn only_errors() {
    assert_eq!(rendered(false, true, false), [VIOLATED, SUMMARY].concat());
}

#[test]
fn proved_checks_on_request() {
    let text = rendered(true, true, false);
    assert_eq!(text, ["proved: overflow  Base.inc, a.sol:6:9\n\n", VIOLATED, SUMMARY].concat());
}

#[test]
fn colours_change_nothing_else() {
    let coloured = rendered(true, false, true);
    assert!(coloured.contains("\x1b[31m"));
    assert_eq!(console::strip_ansi_codes(&coloured), rendered(true, false, false));
}
