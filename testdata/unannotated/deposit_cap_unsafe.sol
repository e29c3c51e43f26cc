// No account may hold more than the cap, whichever way the tokens come.
// breaks: deploy; alice: deposit(90); bob: deposit(60); alice: give(bob, 50); audit(bob)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract CappedAccounts {
    uint256 constant CAP = 100;
    mapping(address => uint256) held;

    function deposit(uint256 amount) external {
        require(amount <= CAP && held[msg.sender] <= CAP - amount);
        held[msg.sender] += amount;
    }

    function give(address to, uint256 amount) external {
        require(to != msg.sender && amount <= held[msg.sender]);
        held[msg.sender] -= amount;
        held[to] += amount; // reverts
    }

    function audit(address who) external view {
        assert(held[who] <= CAP); // violated
    }
}
