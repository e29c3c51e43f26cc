//! Others who are called by the contract, call back, answer, refuse.

use crate::subject::{ALICE, HELPER, MALLORY, StepExt, Subject, THIS, deploy, number, outside, step};
use hornet_evm::replay::Replay;
use hornet_ir::U256;
use hornet_ir::program::ObligationKind::{Assertion, Underflow};
use hornet_ir::program::StmtKind;
use hornet_ir::trace::{Action, Outside, Step};

const BANK: &str = "
pragma solidity ^0.8.0;
contract Bank {
    mapping(address => uint) public balances;
    uint total;
    function deposit() public payable { balances[msg.sender] += msg.value; total += msg.value; }
    function move_to(address to, uint n) public { balances[msg.sender] -= n; balances[to] += n; }
    function withdraw() public {
        uint n = balances[msg.sender];
        (bool ok, ) = msg.sender.call{value: n}(\"\");
        require(ok);
        balances[msg.sender] = 0;
        total -= n;
    }
    function check() public view { assert(address(this).balance >= total); }
}";

#[test]
fn reentering_the_same_function() {
    let subject = Subject::new(BANK);
    let failure = subject.failure(Underflow, "total -= n");
    let call = |name| subject.step("Bank", name, &[]).from(MALLORY);
    let again = call("withdraw").then(outside(MALLORY, Vec::new(), &[]));
    let attack = call("withdraw").then(outside(MALLORY, vec![again], &[]));
    let steps = |attack| vec![deploy(&[]), call("deposit").with(3), attack];
    // With nothing else in the bank the second payment fails, and the attacker goes on.
    let poor = subject.trace("Bank", steps(attack.clone()), failure.clone());
    subject.disagrees(&poor);
    let mut rich = poor.clone();
    rich.balances.push((rich.this, U256::from(3)));
    let executed = subject.confirmed(&rich);
    assert!(!executed.steps[2].succeeded);
    let honest = call("withdraw").then(outside(MALLORY, Vec::new(), &[]));
    subject.disagrees(&subject.trace("Bank", steps(honest), failure));
}

#[test]
fn reentering_another_function_through_somebody_else() {
    let subject = Subject::new(BANK);
    let failure = subject.failure(Assertion, "assert(address(this).balance >= total)");
    let call = |name| subject.step("Bank", name, &[]).from(MALLORY);
    // While the money is on its way, the helper (who is not the one who was called) looks at the total.
    let look = subject.step("Bank", "check", &[]).from(HELPER);
    let attack = |inside: Vec<Step>| {
        let last = call("withdraw").then(outside(MALLORY, inside, &[]));
        let steps = vec![deploy(&[]), call("deposit").with(3), last];
        subject.trace("Bank", steps, failure.clone())
    };
    let executed = subject.confirmed(&attack(vec![look.clone()]));
    assert!(executed.steps[2].succeeded, "the attacker does not mind that the inner call failed");
    // With the ether given back first, nothing is wrong.
    let gift = step(Action::ForcedEther).from(MALLORY).with(3);
    subject.disagrees(&attack(vec![gift, look.clone()]));
    let refund = subject.step("Bank", "deposit", &[]).from(HELPER).with(2);
    subject.confirmed(&attack(vec![refund, look]));
}

#[test]
fn callers_are_who_they_are_said_to_be() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        interface I { function go() external returns (uint); }
        contract C {
            address seen; address origin; uint value; uint got;
            function note() public payable { seen = msg.sender; origin = tx.origin; value = msg.value; }
            function f(I i) public { got = i.go(); assert(seen == address(0)); }
        }",
    );
    let failure = subject.failure(Assertion, "assert(seen == address(0))");
    let note = subject.step("C", "note", &[]).from(HELPER).with(6);
    let call = subject.step("C", "f", &[number(MALLORY)]).then(outside(MALLORY, vec![note], &[77]));
    let mut trace = subject.trace("C", vec![deploy(&[]), call.clone()], failure);
    subject.confirmed(&trace);
    // The state before the revert is seen with the assertion taken out of the way.
    trace.failure = subject.failure(Assertion, "assert(seen == address(0))");
    trace.failure.span.end -= 1;
    let Replay::Disagrees { executed, .. } = subject.replay(&trace) else { panic!("it is another place") };
    assert_eq!(executed.neutralised.len(), 1);
    let storage: Vec<u64> =
        executed.steps[1].storage.iter().flat_map(|s| s.values()).map(|w| w.to::<u64>()).collect();
    assert_eq!(storage, [HELPER, ALICE, 6, 77]);
}

#[test]
fn answers_decide() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        interface I { function price() external view returns (uint, bool); function pay() external payable; }
        contract C {
            uint last;
            constructor() payable {}
            function f(I i) public {
                for (uint k; k < 2; k++) { (uint p, bool ok) = i.price(); if (ok) last += p; }
                try i.pay{value: 1}() {} catch (bytes memory why) { assert(last != 5 || why.length != 3); }
            }
        }",
    );
    let failure = subject.failure(Assertion, "assert(last != 5 || why.length != 3)");
    let refusal = Outside { succeeds: false, returns: b"no!".to_vec(), ..outside(MALLORY, Vec::new(), &[]) };
    let trace = |prices: &[[u64; 2]], end: Option<&Outside>| {
        let mut call = subject.step("C", "f", &[number(MALLORY)]);
        for price in prices {
            call = call.then(outside(MALLORY, Vec::new(), price));
        }
        call.outside.extend(end.cloned());
        subject.trace("C", vec![deploy(&[]).with(1), call], failure.clone())
    };
    subject.confirmed(&trace(&[[2, 1], [3, 1]], Some(&refusal)));
    subject.disagrees(&trace(&[[2, 1], [3, 0]], Some(&refusal)));
    subject.disagrees(&trace(&[[2, 1], [3, 1]], None));
    // A boolean that is none is refused by the decoder, which the caller of `f` sees.
    let what = subject.disagrees(&trace(&[[2, 2]], None));
    assert!(what.contains("reverts without data"), "{what}");
    let Replay::Disagrees { executed, .. } = subject.replay(&trace(&[[5, 1]], Some(&refusal))) else {
        panic!("the refusal is the second answer")
    };
    assert!(!executed.steps[1].succeeded);
}

#[test]
fn contracts_that_the_contract_creates_run_for_real() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        interface I { function ask() external returns (uint); }
        contract Child {
            uint public x;
            constructor(uint n) payable { x = n; }
            function twice(I i) external returns (uint) { return x + i.ask(); }
        }
        contract C {
            Child child;
            constructor() payable {}
            function make(uint n) public { child = new Child{value: 1}(n); }
            function f(I i) public { assert(child.twice(i) != 12 || address(child) != address(0xc41d)); }
        }",
    );
    let failure =
        subject.failure(Assertion, "assert(child.twice(i) != 12 || address(child) != address(0xc41d))");
    let mut make = subject.step("C", "make", &[number(5)]);
    let stmts = subject.program.procs.iter().flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts);
    let span = stmts.into_iter().find(|s| matches!(s.kind, StmtKind::Create(_))).and_then(|s| s.span);
    let creation = Outside { span, ..outside(0xc41d, Vec::new(), &[]) };
    make.outside.push(creation);
    let trace = |answer| {
        let call = subject.step("C", "f", &[number(MALLORY)]);
        let call = call.then(outside(0xc41d, Vec::new(), &[])).then(outside(MALLORY, Vec::new(), &[answer]));
        subject.trace("C", vec![deploy(&[]).with(1), make.clone(), call], failure.clone())
    };
    subject.confirmed(&trace(7));
    subject.disagrees(&trace(8));
}

#[test]
fn nobody_can_make_the_contract_act() {
    let subject = Subject::new(BANK);
    let failure = subject.failure(Underflow, "total -= n");
    let odd = subject.step("Bank", "withdraw", &[]).from(THIS);
    let call = subject.step("Bank", "withdraw", &[]).then(outside(ALICE, vec![odd], &[]));
    let trace = subject.trace("Bank", vec![deploy(&[]), call], failure);
    assert!(matches!(subject.replay(&trace), Replay::Impossible(_)));
}

#[test]
fn whom_the_trace_does_not_mention_answers_zero() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        interface I { function price() external view returns (uint); }
        contract C {
            function f(I i) public view { assert(i.price() != 0); }
        }",
    );
    let failure = subject.failure(Assertion, "assert(i.price() != 0)");
    let call = subject.step("C", "f", &[number(MALLORY)]);
    let executed = subject.confirmed(&subject.trace("C", vec![deploy(&[]), call], failure));
    assert_eq!(executed.unlisted, 1);
}
