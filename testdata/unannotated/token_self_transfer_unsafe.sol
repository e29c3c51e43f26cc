// A transfer that reads both balances before it writes either.
// breaks: deploy(10); owner: transfer(owner, 10); audit(owner)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Token {
    mapping(address => uint256) balances;
    uint256 immutable supply;

    constructor(uint256 amount) {
        supply = amount;
        balances[msg.sender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        uint256 mine = balances[msg.sender];
        require(amount <= mine);
        uint256 theirs = balances[to];
        balances[msg.sender] = mine - amount;
        balances[to] = theirs + amount; // reverts
    }

    function audit(address who) external view {
        assert(balances[who] <= supply); // violated
    }
}
