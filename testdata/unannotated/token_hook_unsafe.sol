// The receiver of tokens is told, and may send on what it got.
// breaks: deploy; owner: transfer(eve, 100); eve: transfer(eve, 100) [transfer(bob, 100)]; audit(eve, bob)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Hook {
    function received(uint256 amount) external;
}

contract HookToken {
    uint256 constant SUPPLY = 100;
    mapping(address => uint256) balances;
    uint256 moved;

    constructor() {
        balances[msg.sender] = SUPPLY;
    }

    function transfer(address to, uint256 amount) external {
        uint256 mine = balances[msg.sender];
        require(amount <= mine);
        if (to.code.length > 0) Hook(to).received(amount);
        balances[msg.sender] = mine - amount;
        balances[to] += amount; // reverts
        if (moved < SUPPLY) moved++;
    }

    function audit(address one, address other) external view {
        require(one != other);
        assert(balances[one] + balances[other] <= SUPPLY); // violated
    }
}
