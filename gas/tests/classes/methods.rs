//! Classes of callees are worth their while where a function is called twice.

use super::subject::{Contract, of};
use hornet_evm::machine::Fork;
use hornet_gas::classes::{Class, Method};

const TIERS: &str = "
    pragma solidity ^0.8.0;
    contract Tiers {
        function fee(uint256 x) internal pure returns (uint256 sum) {
            if (x > 100) sum += 1;
            if (x > 200) sum += 2;
            if (x > 300) sum += 3;
            if (x > 400) sum += 4;
        }
        function pay(uint256 a, uint256 b) external pure returns (uint256) { return fee(a) + fee(b); }
    }";

#[test]
fn fewer_questions_lead_to_the_same_classes() {
    let contract = Contract::new(TIERS, Fork::Osaka);
    let [whole, shared] = [Method::WholeProgram, Method::ByFunction].map(|method| contract.classes(method));
    let (whole, shared) = (of(&whole, "pay(uint256,uint256)"), of(&shared, "pay(uint256,uint256)"));
    assert!(whole.complete && shared.complete, "{:?}", (&whole.why_incomplete, &shared.why_incomplete));
    let prices = |classes: &[Class]| classes.iter().map(Class::own).collect::<Vec<_>>();
    assert_eq!(prices(&whole.classes), prices(&shared.classes));
    // Five tiers each, and no ether: of all combinations of branches, 25 are possible.
    let cases: usize = shared.classes.iter().map(|class| class.conditions.len()).sum();
    assert_eq!(cases, 25 + 1);
    assert!(whole.questions * 2 > shared.questions * 3, "{} and {}", whole.questions, shared.questions);
}
