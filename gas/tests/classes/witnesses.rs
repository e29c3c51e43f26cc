//! The dearest transaction is found, and costs what is said.

use super::subject::{Contract, of};
use hornet_evm::machine::Fork;
use hornet_gas::classes::{Class, Method, Outcome};

const VAULT: &str = "
    pragma solidity ^0.8.0;
    contract Vault {
        uint128 total;
        uint128 limit;
        mapping(address => uint256) shares;
        address owner;
        function pay(uint128 amount) external payable {
            require(msg.sender == owner && amount > 1000 && total + amount <= limit);
            total += amount;
            shares[msg.sender] += amount;
        }
        receive() external payable { shares[msg.sender] += msg.value; }
    }";

#[test]
fn conditions_on_state_and_arguments_are_met() {
    let functions = Contract::new(VAULT, Fork::Osaka).classes(Method::ByFunction);
    let pay = of(&functions, "pay(uint128)").dearest().unwrap();
    // A slot that was zero becomes something, and so does one that shares its slot with another.
    assert_eq!(pay.outcome, Outcome::Returns);
    assert!(pay.own() > 22_100 + 2 * 2_100 + 2_900, "{}", pay.own());
    let receive = of(&functions, "receive()").dearest().map(Class::own).unwrap();
    assert!(receive > 22_100 && receive < 23_000, "{receive}");
}
