// A trader's margin is a signed number, and amounts taken out must be positive.
// breaks: deploy; alice: deposit(5); alice: withdraw(-20); audit(alice)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Margin {
    mapping(address => int256) margin;
    mapping(address => int256) deposited;

    function deposit(int256 amount) external {
        require(amount > 0 && amount <= 1000 && deposited[msg.sender] <= 1000000);
        deposited[msg.sender] += amount;
        margin[msg.sender] += amount; // reverts
    }

    function withdraw(int256 amount) external {
        require(amount <= margin[msg.sender]);
        margin[msg.sender] -= amount; // reverts
    }

    function audit(address who) external view {
        assert(margin[who] <= deposited[who]); // violated
    }
}
