// The books cannot match the balance exactly: ether may come without a call.
// breaks: deploy; alice: deposit{5}(); force 1; audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Ledger {
    mapping(address => uint256) balances;
    uint256 booked;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
        booked += msg.value;
    }

    function withdraw(uint256 amount) external {
        require(amount <= balances[msg.sender]);
        balances[msg.sender] -= amount;
        booked -= amount;
        payable(msg.sender).transfer(amount);
    }

    function audit() external view {
        require(booked > 0);
        assert(address(this).balance == booked); // violated
    }
}
