//! Small contracts, each with a twin in which nothing may be found.

mod replay;

use hornet_frontend::compile;
use hornet_frontend::lower::Options;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_horn::{Settings, search};
use hornet_ir::program::{ContractKind, ObligationKind, Program};
use hornet_ir::trace::{Action, Trace};
use hornet_smt::solver::Solver;
use hornet_smt::solver::horn::Portfolio;
use hornet_symbolic::exec::{All, CheckKey, targets};
use replay::{Ending, involves_others, run};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn program(source: &str) -> Program {
    let mut loader = Loader::new(LoadOptions::in_memory());
    loader.add_source("t.sol", format!("pragma solidity ^0.8.0;\n{source}"));
    let compiled = compile(loader.load_names(["t.sol"]), Options::default());
    assert!(!compiled.has_errors(), "{:#?}", compiled.diagnostics);
    compiled.program.expect("a program")
}

/// Looks for runs that break checks of a kind in the last contract; each check is broken once.
fn hunt(program: &Program, kind: ObligationKind, time: Duration) -> Vec<Trace> {
    let mut found = Vec::new();
    hunt_with(program, kind, time, &mut |trace| {
        found.push(trace);
        true
    });
    found
}

fn hunt_with(program: &Program, kind: ObligationKind, time: Duration, tell: &mut dyn FnMut(Trace) -> bool) {
    let is_last = |(_, decl): &(_, &hornet_ir::program::Contract)| decl.kind == ContractKind::Contract;
    let (contract, _) = program.contracts.iter_ids().filter(is_last).last().expect("a contract");
    let checks = program.obligations.iter().filter(|o| o.kind == kind && !o.silent);
    let places: Vec<_> = checks.map(|o| o.span).collect();
    let functions = targets(program, &All).into_iter().filter(|t| t.contract == contract);
    let wanted: Vec<CheckKey> = functions
        .flat_map(|target| {
            let of_function = |span| CheckKey {
                contract,
                function: target.body(),
                inside: target.is_inside(),
                kind,
                span,
                annotation: None,
                message: String::new(),
            };
            places.iter().copied().map(of_function).collect::<Vec<_>>()
        })
        .collect();
    let settings = Settings {
        arithmetic: hornet_symbolic::Arithmetic::default(),
        trust: hornet_symbolic::exec::Trust::default(),
        solving: hornet_smt::solver::Options {
            solvers: vec![Solver::find("z3", None).expect("z3")],
            ..hornet_smt::solver::Options::default()
        },
        horn: Portfolio::of(Vec::new()),
        certificates: None,
        deadline: Instant::now() + time,
        jobs: 1,
    };
    let stop = AtomicBool::new(false);
    let mut broken = std::collections::BTreeSet::new();
    search(program, contract, &wanted, &settings, &stop, &mut |key, trace| {
        let enough = tell(trace);
        if enough {
            broken.insert(key.span);
        }
        // The same check may be wanted of several functions.
        if broken.len() == places.len() {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
        enough
    });
}

/// The engine wants a large stack.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(test).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// A contract with a bug in which the only check of a kind fails, and the same without the bug.
fn pair(
    source: &'static str,
    (bug, fix): (&'static str, &'static str),
    kind: ObligationKind,
    look: fn(&Trace),
) {
    assert!(source.contains(bug), "the bug is not there");
    with_stack(move || {
        let buggy = program(source);
        let traces = hunt(&buggy, kind, Duration::from_secs(60));
        let [trace] = &traces[..] else { panic!("{} traces: {traces:#?}", traces.len()) };
        if !involves_others(trace) {
            assert_eq!(run(&buggy, trace), Ending::AsTold, "{trace:#?}");
        }
        look(trace);
        let fixed = program(&source.replace(bug, fix));
        let traces = hunt(&fixed, kind, Duration::from_secs(2));
        assert!(traces.is_empty(), "{traces:#?}");
    });
}

fn assertion(source: &'static str, change: (&'static str, &'static str), look: fn(&Trace)) {
    pair(source, change, ObligationKind::Assertion, look);
}

#[test]
fn three_transactions() {
    assertion(
        "contract C {
            uint x;
            function a() public { x = 1; }
            function b() public { if (x == 1) x = 2; }
            function c() public view { assert(x != 2); }
        }",
        ("x = 2;", "x = 3;"),
        |trace| assert_eq!(trace.steps.len(), 4),
    );
}

#[test]
fn constructor_arguments() {
    assertion(
        "contract C {
            uint immutable limit;
            constructor(uint a, bytes2 b) { require(b == 0x1234); limit = a; }
            function f(uint x) public view { require(x > 5 && x < limit); assert(x < 100); }
        }",
        ("limit = a;", "limit = a % 90;"),
        |trace| assert!(matches!(&trace.steps[0].action, Action::Deploy { args } if args.len() == 2)),
    );
}

#[test]
fn mapping_and_caller() {
    assertion(
        "contract C {
            mapping(address => uint) level;
            address owner = msg.sender;
            function join() public { require(msg.sender != owner); level[msg.sender] = 1; }
            function raise(address who) public { if (level[who] == 1) level[who] = 7; }
            function check() public view { if (msg.sender != owner) assert(level[msg.sender] < 7); }
        }",
        ("level[who] = 7", "level[who] = 6"),
        |trace| assert_ne!(trace.steps[0].caller, trace.steps[3].caller),
    );
}

#[test]
fn struct_argument() {
    assertion(
        "contract C {
            struct P { uint8 a; bool b; bytes s; }
            P p;
            function set(P memory q) public { p = q; }
            function get() public view { if (p.b) assert(p.a != 9 || p.s.length != 2); }
        }",
        ("p = q", "p = q; p.b = false"),
        |_| {},
    );
}

#[test]
fn dynamic_arrays() {
    assertion(
        "contract C {
            function f(uint[] calldata a, int8[][] memory b) public pure {
                require(a.length == 2 && b.length == 2 && b[1].length == 3);
                assert(a[1] != 77 || b[1][2] != -5);
            }
        }",
        ("a[1] != 77 || b[1][2] != -5", "a.length + b[1].length == 5"),
        |_| {},
    );
}

#[test]
fn payable_function() {
    assertion(
        "contract C {
            uint paid;
            function pay() public payable { paid += msg.value; }
            function look() public view { assert(paid != 123); }
        }",
        ("paid += msg.value", "require(msg.value > 200); paid += msg.value"),
        |_| {},
    );
}

#[test]
fn reentrancy_of_one_function() {
    assertion(
        "contract C {
            mapping(address => uint) b;
            uint total;
            function put() public payable { b[msg.sender] += msg.value; total += msg.value; }
            function take() public {
                uint amount = b[msg.sender];
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok);
                b[msg.sender] = 0;
                assert(total >= amount);
                total -= amount;
            }
        }",
        (
            "(bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok);
                b[msg.sender] = 0;",
            "b[msg.sender] = 0;
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok);",
        ),
        |trace| {
            let last = trace.steps.last().expect("steps");
            assert!(last.outside.iter().any(|outside| !outside.reenters.is_empty()), "{trace:#?}");
        },
    );
}

#[test]
fn reentrancy_of_another_function() {
    assertion(
        "interface I { function ping() external; }
        contract C {
            bool busy;
            function f(I other) public { busy = true; other.ping(); busy = false; }
            function g() public view { assert(!busy); }
        }",
        ("busy = true; other.ping();", "other.ping(); busy = true;"),
        |trace| assert_eq!(trace.steps[1].outside[0].reenters.len(), 1),
    );
}

#[test]
fn loop_of_three_rounds() {
    assertion(
        "contract C {
            function f(uint n) public pure {
                uint k;
                for (uint i; i < n; i++) k += 2;
                assert(k != 6);
            }
        }",
        ("k += 2", "k += 4"),
        |_| {},
    );
}

#[test]
fn recursion() {
    assertion(
        "contract C {
            function sum(uint n) internal pure returns (uint) { return n == 0 ? 0 : n + sum(n - 1); }
            function f(uint n) public pure { assert(sum(n) != 6); }
        }",
        ("sum(n) != 6", "sum(n) != 5"),
        |_| {},
    );
}

#[test]
fn modifiers_and_inheritance() {
    assertion(
        "contract A {
            address owner = msg.sender;
            uint x;
            modifier guarded { require(msg.sender == owner); _; }
            function set(uint y) public virtual guarded { x = y; }
        }
        contract C is A {
            function set(uint y) public override { x = y; }
            function look() public view { if (msg.sender != owner) assert(x == 0); }
        }",
        ("override { x = y; }", "override { super.set(y % 1); }"),
        |_| {},
    );
}

#[test]
fn unchecked_arithmetic() {
    assertion(
        "contract C {
            function f(uint8 a) public pure { unchecked { uint8 b = a + 10; assert(b >= 10); } }
        }",
        ("uint8 b = a + 10;", "uint16 b = uint16(a) + 10;"),
        |_| {},
    );
}

#[test]
fn overflow() {
    pair(
        "contract C { uint8 x; function f(uint8 y) public { if (x < 250) x += y; } }",
        ("x += y", "x += y % 6"),
        ObligationKind::Overflow,
        |_| {},
    );
}

#[test]
fn out_of_bounds() {
    pair(
        "contract C {
            uint[] a;
            function add() public { a.push(1); }
            function f(uint i) public view { if (i <= a.length && i > 0) a[i]; }
        }",
        ("i <= a.length", "i < a.length"),
        ObligationKind::OutOfBounds,
        |_| {},
    );
}

#[test]
fn empty_pop() {
    pair(
        "contract C {
            uint[] a;
            uint n;
            function add() public { a.push(1); n++; }
            function drop() public { require(n > 0); a.pop(); n--; }
            function reset() public { delete a; }
        }",
        ("delete a;", "delete a; n = 0;"),
        ObligationKind::EmptyPop,
        |_| {},
    );
}

#[test]
fn balance_too_low() {
    pair(
        "contract C {
            uint paid;
            receive() external payable { paid += msg.value; }
            function give() public { if (paid > 5) { payable(msg.sender).transfer(5); } }
        }",
        ("payable(msg.sender)", "paid -= 5; payable(msg.sender)"),
        ObligationKind::InsufficientBalance,
        |_| {},
    );
}

#[test]
fn forced_ether() {
    assertion(
        "contract C {
            uint paid;
            constructor() { require(address(this).balance == 0); }
            function pay() public payable { paid += msg.value; }
            function look() public view { assert(address(this).balance == paid); }
        }",
        ("balance == paid", "balance >= paid"),
        |trace| assert!(trace.steps.iter().any(|step| step.action == Action::ForcedEther)),
    );
}

#[test]
fn caught_failure_of_others() {
    assertion(
        "interface I { function f() external returns (uint); }
        contract C {
            uint failures;
            function ask(I other) public {
                try other.f() returns (uint) {} catch { failures++; }
            }
            function look() public view { assert(failures < 2); }
        }",
        ("catch { failures++; }", "catch { failures = 1; }"),
        |trace| assert!(!trace.steps[1].outside[0].succeeds),
    );
}

#[test]
fn failed_low_level_call() {
    assertion(
        "contract C {
            bool lost;
            function send(address to) public { (bool ok,) = to.call(\"\"); if (!ok) lost = true; }
            function look() public view { assert(!lost); }
        }",
        ("if (!ok) lost = true;", "if (!ok) revert();"),
        |trace| assert!(!trace.steps[1].outside[0].succeeds),
    );
}

#[test]
fn answer_of_an_interface() {
    assertion(
        "interface I { function price(uint x) external view returns (uint, bytes memory); }
        contract C {
            uint last;
            function ask(I other) public {
                (uint p, bytes memory b) = other.price(1);
                if (b.length == 3 && b[1] == 0x07) last = p;
            }
            function look() public view { assert(last != 55); }
        }",
        ("last = p", "last = p % 55"),
        |trace| assert!(trace.steps[1].outside[0].returns.len() >= 128),
    );
}

#[test]
fn time_goes_on() {
    assertion(
        "contract C {
            uint start;
            function open() public { start = block.timestamp; }
            function close() public view { require(start > 0); assert(block.timestamp < start + 1 days); }
        }",
        ("block.timestamp < start + 1 days", "block.timestamp >= start"),
        |_| {},
    );
}

#[test]
fn earlier_assertion_is_kept_if_possible() {
    with_stack(|| {
        let program = program(
            "contract C {
                function f(uint x) public pure { assert(x > 10); assert(x > 20); }
                function g() public pure { uint x; assert(x == 1); assert(x == 2); }
            }",
        );
        let traces = hunt(&program, ObligationKind::Assertion, Duration::from_secs(60));
        let endings: Vec<Ending> = traces.iter().map(|trace| run(&program, trace)).collect();
        assert_eq!(endings.iter().filter(|e| **e == Ending::AsTold).count(), 3, "{traces:#?}");
        // The second assertion of `g` is never reached unless the first one is let pass.
        assert_eq!(endings.iter().filter(|e| **e == Ending::Stopped).count(), 1, "{traces:#?}");
    });
}

#[test]
fn function_values() {
    assertion(
        "contract C {
            function one() internal pure returns (uint) { return 1; }
            function two() internal pure returns (uint) { return 2; }
            function() internal pure returns (uint) f = one;
            function choose() public { f = two; }
            function check() public view { assert(f() == 1); }
        }",
        ("f = two", "f = one"),
        |_| {},
    );
}

#[test]
fn calls_of_oneself() {
    assertion(
        "contract C {
            uint x;
            function set(uint y) external { require(msg.sender == address(this)); x = y; }
            function f(uint y) public { this.set(y); }
            function look() public view { assert(x != 44); }
        }",
        ("this.set(y)", "this.set(y / 2 * 2 + 1)"),
        |_| {},
    );
}

#[test]
fn created_contracts() {
    assertion(
        "contract D {
            uint public x;
            constructor(uint y) { x = y; }
            function add(uint y) public { require(y < 10); x += y; }
        }
        contract C {
            D d;
            constructor(uint start) { require(start < 100); d = new D(start); }
            function f(uint y) public { d.add(y); assert(d.x() < 108); }
        }",
        ("x += y", "x = x % 90 + y"),
        |trace| assert!(matches!(&trace.steps[0].action, Action::Deploy { args } if args.len() == 1)),
    );
}

#[test]
fn runs_that_are_refused_are_followed_by_others() {
    with_stack(|| {
        let program = program(
            "contract C {
                uint x;
                function a(uint y) public { x = y; }
                function b(uint y) public { x = y; }
                function look() public view { assert(x < 5000); }
            }",
        );
        let mut refused = Vec::new();
        hunt_with(&program, ObligationKind::Assertion, Duration::from_secs(20), &mut |trace| {
            refused.push(trace);
            refused.len() == 3
        });
        let entries = |trace: &Trace| trace.steps.iter().map(|step| step.action.clone()).collect::<Vec<_>>();
        assert_eq!(refused.len(), 3);
        assert!(refused[1..].iter().any(|trace| entries(trace) != entries(&refused[0])));
    });
}
