//! What the code itself fails with, at its place.

use std::sync::Arc;

use crate::subject::{ALICE, StepExt, Subject, compilers, deploy, number, step};
use hornet_evm::compiler::{CompileError, Compiled, Compiler, Request};
use hornet_evm::replay::{Evidence, Replay, Replayer};
use hornet_evm::solc::Compilers;
use hornet_ir::U256;
use hornet_ir::expr::EnvVar;
use hornet_ir::interp::value::Tree;
use hornet_ir::program::ObligationKind::{
    self, Assertion, DivisionByZero, EmptyPop, EnumConversion, InsufficientBalance, OutOfBounds, Overflow,
    Underflow,
};
use hornet_ir::trace::Action;

const COUNTER: &str = "
pragma solidity ^0.8.0;
contract Counter {
    uint count;
    address owner;
    constructor(uint start, address who) payable { count = start; owner = who; }
    function add(uint n) public { require(msg.sender == owner, \"not you\"); count += n; }
    function check() public view { assert(count != 12); }
    function other() public view { assert(count != 13); }
}";

fn counter(starts: u64, adds: [u64; 2]) -> (Subject, hornet_ir::trace::Trace) {
    let subject = Subject::new(COUNTER);
    let failure = subject.failure(Assertion, "assert(count != 12)");
    let steps = vec![
        deploy(&[number(starts), number(ALICE)]).with(5),
        subject.step("Counter", "add", &[number(adds[0])]),
        subject.step("Counter", "add", &[number(adds[1])]),
        subject.step("Counter", "check", &[]),
    ];
    let trace = subject.trace("Counter", steps, failure);
    (subject, trace)
}

#[test]
fn an_assertion_after_three_transactions() {
    let (subject, trace) = counter(2, [3, 7]);
    let executed = subject.confirmed(&trace);
    assert_eq!(executed.evidence, Some(Evidence::Place));
    assert_eq!(executed.compiler, "solc 0.8.37");
    let ends: Vec<bool> = executed.steps.iter().map(|s| s.succeeded).collect();
    assert_eq!(ends, [true, true, true, false]);
    assert_eq!(executed.steps[1].storage.as_ref().unwrap()[&U256::ZERO], U256::from(5));
    assert_eq!(executed.steps[3].storage.as_ref().unwrap()[&U256::ZERO], U256::from(12));
    assert_eq!(executed.steps[0].balance, U256::from(5));
}

#[test]
fn wrong_traces_disagree() {
    let (subject, trace) = counter(2, [3, 8]);
    assert!(subject.disagrees(&trace).contains("succeeds"));
    let (subject, mut trace) = counter(2, [3, 7]);
    trace.steps[2] = trace.steps[2].clone().from(0x77);
    let what = subject.disagrees(&trace);
    assert!(what.contains("step 3 reverts with \"not you\" at t.sol:7"), "{what}");
    // The same panic at another assertion is not the failure.
    let (subject, mut trace) = counter(2, [3, 8]);
    trace.steps[3] = subject.step("Counter", "other", &[]);
    assert!(matches!(subject.replay(&trace), Replay::Disagrees { .. }));
}

#[test]
fn without_a_compiler_nothing_is_said() {
    let (subject, trace) = counter(2, [3, 7]);
    let replayer = Replayer::new(subject.program, subject.sources, Vec::new(), Vec::new());
    assert_eq!(replayer.replay(&trace), Replay::Impossible("there is no compiler".to_owned()));
}

/// One contract with one function `f(uint a, uint b)`: what fails, and for which arguments.
fn fails(
    pragma: &str,
    state: &str,
    body: &str,
    kind: ObligationKind,
    at: &str,
    bad: [u64; 2],
    good: [u64; 2],
) {
    let text = format!(
        "pragma solidity {pragma};\ncontract C {{ {state} function f(uint a, uint b) public {{ {body} }} }}"
    );
    let subject = Subject::new(&text);
    let failure = subject.failure(kind, at);
    let trace = |args: [u64; 2]| {
        let call = subject.step("C", "f", &args.map(number));
        subject.trace("C", vec![deploy(&[]), call], failure.clone())
    };
    assert_eq!(subject.confirmed(&trace(bad)).evidence, Some(Evidence::Place), "{text}");
    assert!(matches!(subject.replay(&trace(good)), Replay::Disagrees { .. }), "{text}");
}

#[test]
fn overflow_at_one_of_several_places_on_a_line() {
    let body = "uint8 x = uint8(a); uint8 y = uint8(b); s = x - y; s = (x + 1) * (y - 2);";
    for (kind, at, bad, good) in [
        (Underflow, "x - y", [3, 4], [4, 3]),
        (Overflow, "x + 1", [255, 2], [254, 2]),
        (Underflow, "y - 2", [5, 1], [255, 5]),
        (Overflow, "(x + 1) * (y - 2)", [100, 100], [1, 1]),
    ] {
        fails("^0.8.0", "uint8 s;", body, kind, at, bad, good);
    }
}

#[test]
fn each_kind_of_panic() {
    fails("^0.8.0", "", "a / b;", DivisionByZero, "a / b", [1, 0], [0, 1]);
    fails("^0.8.0", "uint[] x;", "x.push(b); x[a];", OutOfBounds, "x[a]", [1, 0], [0, 1]);
    fails("^0.8.0", "uint[] x;", "if (a > b) x.push(); x.pop();", EmptyPop, "x.pop()", [0, 0], [1, 0]);
    fails("^0.8.0", "enum E { A, B }", "b; E(a % 9);", EnumConversion, "a % 9", [2, 0], [1, 0]);
    let send = "payable(address(7)).transfer(a)";
    fails("^0.8.0", "", &format!("b; {send};"), InsufficientBalance, send, [1, 0], [0, 0]);
    fails("^0.8.0", "uint s;", "b; s -= a;", Underflow, "s -= a", [1, 0], [0, 0]);
    fails("^0.8.0", "uint s;", "s = ~a; s += b;", Overflow, "s += b", [1, 2], [1, 1]);
}

#[test]
fn old_compilers() {
    for pragma in ["^0.7.0", "^0.6.0", "^0.5.0", "^0.4.25"] {
        fails(pragma, "", "assert(a != 3); assert(b != 4);", Assertion, "assert(b != 4)", [1, 4], [1, 5]);
        fails(pragma, "uint s;", "s = a / b;", DivisionByZero, "a / b", [1, 0], [0, 1]);
        fails(pragma, "uint[3] x;", "x[a] = b;", OutOfBounds, "x[a]", [3, 0], [2, 0]);
        let body = "uint8 x = uint8(a); uint8 y = uint8(b); s = x - y; s = (x + 1) * (y - 2);";
        fails(pragma, "uint8 s;", body, Underflow, "x - y", [3, 4], [4, 3]);
        fails(pragma, "uint8 s;", body, Underflow, "y - 2", [5, 1], [5, 2]);
        fails(pragma, "uint8 s;", body, Overflow, "(x + 1) * (y - 2)", [100, 100], [1, 3]);
        let body = "p = 1; q = uint24(a); q *= uint24(b);";
        fails(
            pragma,
            "uint8 p; uint24 q;",
            body,
            Overflow,
            "q *= uint24(b)",
            [1 << 12, 1 << 12],
            [1 << 23, 1],
        );
        fails(pragma, "uint8 p;", "p = uint8(a); b; p++;", Overflow, "p++", [255, 0], [254, 0]);
        fails(pragma, "mapping(uint => uint) m;", "b; m[a] -= a;", Underflow, "m[a] -= a", [1, 0], [0, 0]);
    }
}

#[test]
fn unchecked_overflow_shows_in_an_assertion() {
    let body = "unchecked { uint8 c = uint8(a) + uint8(b); assert(c >= uint8(a)); }";
    fails("^0.8.0", "", body, Assertion, "assert(c >= uint8(a))", [200, 100], [200, 50]);
}

#[test]
fn a_failure_that_is_caught_counts() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        contract C {
            bool public caught;
            function inner(uint x) external pure { assert(x < 10); }
            function outer(uint x) external { try this.inner(x) {} catch { caught = true; } }
        }",
    );
    let failure = subject.failure(Assertion, "assert(x < 10)");
    let trace = |x| {
        let call = subject.step("C", "outer", &[number(x)]);
        subject.trace("C", vec![deploy(&[]), call], failure.clone())
    };
    let executed = subject.confirmed(&trace(10));
    assert!(executed.steps[1].succeeded);
    assert_eq!(executed.steps[1].storage.as_ref().unwrap().len(), 1);
    subject.disagrees(&trace(9));
}

#[test]
fn assertions_that_fail_earlier_are_neutralised() {
    for pragma in ["^0.8.0", "^0.7.0", "^0.6.0", "^0.5.0", "^0.4.25"] {
        let subject = Subject::new(&format!(
            "pragma solidity {pragma};
            contract C {{
                uint n;
                function step(uint x) public {{ if (x > 0) assert(x != 5); else assert(n == 0); n += x; }}
                function end() public view {{ assert(n != 10); assert(n < 10); }}
            }}"
        ));
        let failure = subject.failure(Assertion, "assert(n < 10)");
        let call = |x| subject.step("C", "step", &[number(x)]);
        let steps = vec![deploy(&[]), call(5), call(5), subject.step("C", "end", &[])];
        let executed = subject.confirmed(&subject.trace("C", steps, failure.clone()));
        assert_eq!(executed.neutralised, [subject.span("assert(x != 5)"), subject.span("assert(n != 10)")]);
        assert_eq!(executed.steps.len(), 4);
        // Without need nothing is neutralised.
        let steps = vec![deploy(&[]), call(6), call(5), subject.step("C", "end", &[])];
        let executed = subject.confirmed(&subject.trace("C", steps, failure.clone()));
        assert_eq!(executed.neutralised, [subject.span("assert(x != 5)")]);
        let steps = vec![deploy(&[]), call(5), call(4), subject.step("C", "end", &[])];
        subject.disagrees(&subject.trace("C", steps, failure));
    }
}

#[test]
fn libraries_are_linked_and_their_failures_seen() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        library L {
            function half(uint x) public pure returns (uint) { assert(x % 2 == 0); return x / 2; }
        }
        contract C {
            uint s;
            function f(uint x) public { s = L.half(x); assert(s != 4); }
        }",
    );
    let failures = ["assert(x % 2 == 0)", "assert(s != 4)"].map(|at| subject.failure(Assertion, at));
    for (x, failing) in [(7, 0), (8, 1)] {
        for (i, failure) in failures.iter().enumerate() {
            let call = subject.step("C", "f", &[number(x)]);
            let trace = subject.trace("C", vec![deploy(&[]), call], failure.clone());
            match subject.replay(&trace) {
                Replay::Confirmed(_) => assert_eq!(i, failing),
                Replay::Disagrees { .. } => assert_ne!(i, failing),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_panic_that_is_handed_on_is_not_blamed_on_the_call() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        contract D { function g(uint x) public pure returns (bool) { return x / x == 1; } }
        contract C {
            D d = new D();
            function f(uint x, uint y) public view { uint z = 1 / (d.g(x) ? y : 1); z; }
        }",
    );
    let outer = subject.failure(DivisionByZero, "1 / (d.g(x) ? y : 1)");
    let inner = subject.failure(DivisionByZero, "x / x");
    let trace = |x, y, failure: &hornet_ir::trace::Failure| {
        let call = subject.step("C", "f", &[number(x), number(y)]);
        subject.trace("C", vec![deploy(&[]), call], failure.clone())
    };
    subject.disagrees(&trace(0, 1, &outer));
    subject.confirmed(&trace(0, 1, &inner));
    subject.confirmed(&trace(1, 0, &outer));
}

#[test]
fn immutables_environment_and_forced_ether() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        contract C {
            uint immutable limit;
            constructor(uint n) { limit = n; }
            function f() public view {
                assert(block.timestamp < limit || address(this).balance < 9 || tx.origin == msg.sender);
            }
            function g() public view { assert(msg.sender.balance != 2 || address(this).balance != 5); }
        }",
    );
    let at = "assert(block.timestamp < limit || address(this).balance < 9 || tx.origin == msg.sender)";
    let failure = subject.failure(Assertion, at);
    let trace = |time: u64, ether: u64, origin: u64| {
        let mut call = subject.step("C", "f", &[]);
        call.environment = vec![(EnvVar::Timestamp, U256::from(time))];
        call.origin = U256::from(origin);
        let steps = vec![deploy(&[number(1000)]), step(Action::ForcedEther).with(ether), call];
        let mut trace = subject.trace("C", steps, failure.clone());
        trace.balances.push((trace.this, U256::from(4)));
        trace
    };
    let executed = subject.confirmed(&trace(1000, 5, 0x99));
    assert_eq!(executed.steps[0].balance, U256::from(4));
    assert_eq!(executed.steps[1].balance, U256::from(9));
    subject.disagrees(&trace(999, 5, 0x99));
    subject.disagrees(&trace(1000, 4, 0x99));
    subject.disagrees(&trace(1000, 5, ALICE));
    // Forced ether is the sender's, if they have so much.
    let gift = subject.failure(Assertion, "assert(msg.sender.balance != 2 || address(this).balance != 5)");
    let steps = vec![deploy(&[number(1000)]), step(Action::ForcedEther).with(5), subject.step("C", "g", &[])];
    let mut given = subject.trace("C", steps, gift);
    given.balances.push((U256::from(ALICE), U256::from(7)));
    subject.confirmed(&given);
    let mut far = trace(1000, 5, 0x99);
    far.steps[2].environment.push((EnvVar::Timestamp, U256::MAX));
    subject.confirmed(&far);
    far.steps[2].environment.push((EnvVar::BaseFee, U256::MAX));
    assert!(matches!(subject.replay(&far), Replay::Impossible(_)));
}

#[test]
fn deep_arguments_and_receive() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        contract C {
            uint sum;
            string name;
            constructor(string memory n, uint[] memory xs) { name = n; for (uint i; i < xs.length; i++) sum += xs[i]; }
            receive() external payable { assert(msg.value != sum || bytes(name).length != 2); }
            fallback() external { assert(msg.data.length != 3); }
        }",
    );
    let args = [Tree::Bytes(b"hi"[..].into()), Tree::List(vec![number(2), number(3)])];
    let at = "assert(msg.value != sum || bytes(name).length != 2)";
    let steps = vec![deploy(&args), step(Action::Receive).with(5)];
    subject.confirmed(&subject.trace("C", steps, subject.failure(Assertion, at)));
    let steps = vec![deploy(&args), step(Action::Fallback { data: vec![1, 2, 3] })];
    let failure = subject.failure(Assertion, "assert(msg.data.length != 3)");
    subject.confirmed(&subject.trace("C", steps, failure));
    let steps = vec![deploy(&args[..1]), step(Action::Receive)];
    let failure = subject.failure(Assertion, at);
    assert!(matches!(subject.replay(&subject.trace("C", steps, failure)), Replay::Impossible(_)));
}

#[test]
fn a_constructor_can_fail() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        contract B { uint x; constructor(uint a) { assert(a > 3); x = 10 / (a - 4); } }
        contract C is B { constructor(uint a) B(a + 1) {} }",
    );
    let trace = |a, kind, at: &str| subject.trace("C", vec![deploy(&[number(a)])], subject.failure(kind, at));
    subject.confirmed(&trace(2, Assertion, "assert(a > 3)"));
    subject.confirmed(&trace(3, DivisionByZero, "10 / (a - 4)"));
    subject.disagrees(&trace(4, DivisionByZero, "10 / (a - 4)"));
    let executed = subject.confirmed(&trace(2, Underflow, "a - 4"));
    assert_eq!(executed.neutralised, [subject.span("assert(a > 3)")]);
}

/// A compiler that does not say where its code comes from, nor where it keeps variables.
struct Silent(Arc<Compilers>);

impl Compiler for Silent {
    fn compile(&self, request: &Request) -> Result<Compiled, CompileError> {
        let mut compiled = Compiler::compile(&*self.0, request)?;
        for contract in compiled.contracts.values_mut() {
            (contract.creation_places, contract.runtime_places) = (None, None);
        }
        Ok(compiled)
    }
}

#[test]
fn without_places_failures_are_told_apart_by_other_means() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        contract C {
            function f(uint8 a, uint8 b) public pure returns (uint8) {
                assert(a != 7);
                assert(b != 8);
                return a + b - 3 + a / b;
            }
        }",
    );
    let replayer =
        Replayer::new(subject.program, subject.sources, Vec::new(), vec![Arc::new(Silent(compilers()))]);
    let replay = |kind, at: &str, a, b| {
        let call = subject.step("C", "f", &[number(a), number(b)]);
        replayer.replay(&subject.trace("C", vec![deploy(&[]), call], subject.failure(kind, at)))
    };
    let evidence = |replay: Replay| match replay {
        Replay::Confirmed(executed) => (executed.evidence, executed.neutralised.len()),
        other => panic!("not confirmed: {other:?}"),
    };
    assert_eq!(evidence(replay(DivisionByZero, "a / b", 9, 0)), (Some(Evidence::OnlyCandidate), 0));
    assert_eq!(evidence(replay(Assertion, "assert(a != 7)", 7, 1)), (Some(Evidence::Rehearsal), 0));
    assert_eq!(evidence(replay(Assertion, "assert(b != 8)", 7, 8)), (Some(Evidence::OnlyCandidate), 1));
    assert!(matches!(replay(Assertion, "assert(b != 8)", 7, 9), Replay::Disagrees { .. }));
    assert_eq!(evidence(replay(Overflow, "a + b", 200, 100)), (Some(Evidence::Rehearsal), 0));
    assert_eq!(evidence(replay(Underflow, "a + b - 3", 1, 1)), (Some(Evidence::Rehearsal), 0));
    assert!(matches!(replay(Overflow, "a + b", 1, 1), Replay::Impossible(_)));
    assert!(matches!(replay(Overflow, "a + b", 1, 2), Replay::Disagrees { .. }));
}

#[test]
fn threads_share_a_replayer() {
    fn shared<T: Send + Sync>() {}
    shared::<Replayer<'static>>();
}
