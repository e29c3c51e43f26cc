//! Annotations, decided on the machine's state.

use crate::subject::{MALLORY, StepExt, Subject, deploy, number, outside};
use hornet_evm::replay::{Evidence, Replay};
use hornet_ir::program::ObligationKind::{
    self, Invariant, LoopInvariant, Postcondition, Precondition, Reverts, Succeeds,
};
use hornet_ir::trace::{Failure, Step, Trace};

const LEDGER: &str = "
pragma solidity ^0.8.0;
/// @notice invariant __verifier_sum_uint(balances) + fee == total
contract Ledger {
    mapping(address => uint) balances;
    uint total;
    uint public immutable fee;
    constructor(uint f) { fee = f; total = f; }
    function put() public payable { balances[msg.sender] += msg.value; total += msg.value; }
    function give(address to, uint n) public { balances[msg.sender] -= n; balances[to] = n; }
    /// @notice postcondition r == old(total) + n
    function raise(uint n) public returns (uint r) { total += n; balances[msg.sender] += n; return n > 5 ? n : total; }
    /// @notice succeeds-if balances[msg.sender] >= n
    function take(uint n) public { balances[msg.sender] -= n; total -= n; payable(msg.sender).transfer(n); }
    /// @notice reverts-if n > 3
    function small(uint n) public pure { require(n < 3 || n > 7); }
}";

fn claim(subject: &Subject, kind: ObligationKind, steps: Vec<Step>) -> Trace {
    let clause = subject.clause(kind);
    let span = subject.program.obligations[clause].span;
    subject.trace("Ledger", steps, Failure { kind, span, clause: Some(clause) })
}

#[test]
fn an_invariant_over_a_mapping_and_an_immutable() {
    let subject = Subject::new(LEDGER);
    let steps = |to: u64| {
        let put = subject.step("Ledger", "put", &[]).with(9);
        vec![deploy(&[number(2)]), put, subject.step("Ledger", "give", &[number(to), number(4)])]
    };
    // Giving to oneself makes a balance of four out of nine.
    let executed = subject.confirmed(&claim(&subject, Invariant, steps(crate::subject::ALICE)));
    assert_eq!(executed.evidence, Some(Evidence::Claim));
    subject.disagrees(&claim(&subject, Invariant, steps(MALLORY)));
    // Nothing is left of what a call does that reverts.
    let mut reverting = steps(MALLORY);
    reverting.remove(1);
    assert!(matches!(subject.replay(&claim(&subject, Invariant, reverting)), Replay::Impossible(_)));
}

#[test]
fn a_postcondition_with_arguments_results_and_the_state_before() {
    let subject = Subject::new(LEDGER);
    let trace = |n| {
        let call = subject.step("Ledger", "raise", &[number(n)]);
        claim(&subject, Postcondition, vec![deploy(&[number(2)]), call])
    };
    subject.confirmed(&trace(6));
    subject.disagrees(&trace(5));
}

#[test]
fn calls_that_must_succeed_or_must_not() {
    let subject = Subject::new(LEDGER);
    let take = |ok: bool| {
        let mut refusal = outside(MALLORY, Vec::new(), &[]);
        refusal.succeeds = ok;
        let put = subject.step("Ledger", "put", &[]).from(MALLORY).with(9);
        let call = subject.step("Ledger", "take", &[number(9)]).from(MALLORY).then(refusal);
        claim(&subject, Succeeds, vec![deploy(&[number(0)]), put, call])
    };
    subject.confirmed(&take(false));
    subject.disagrees(&take(true));
    let small = |n| {
        let call = subject.step("Ledger", "small", &[number(n)]);
        claim(&subject, Reverts, vec![deploy(&[number(0)]), call])
    };
    subject.confirmed(&small(8));
    subject.disagrees(&small(5));
    subject.disagrees(&small(2));
}

#[test]
fn what_only_the_interpreter_sees_is_not_confirmed() {
    let subject = Subject::new(
        "pragma solidity ^0.8.0;
        contract Ledger {
            uint s;
            function sum(uint n) public {
                /// @notice invariant s < 6
                for (uint i = 0; i < n; i++) { s += i; }
                s = 0;
                inner(n);
            }
            /// @notice precondition n != 3
            function inner(uint n) internal pure {}
        }",
    );
    let trace = |kind, n| {
        let call = subject.step("Ledger", "sum", &[number(n)]);
        claim(&subject, kind, vec![deploy(&[]), call])
    };
    for (kind, bad, good) in [(LoopInvariant, 4, 3), (Precondition, 3, 4)] {
        let Replay::Unconfirmed { executed, .. } = subject.replay(&trace(kind, bad)) else {
            panic!("{kind:?} is seen by the interpreter")
        };
        assert!(executed.steps[1].succeeded);
        assert!(matches!(subject.replay(&trace(kind, good)), Replay::Impossible(_)));
    }
}
