// A transfer that reads both balances before it writes either.
// needs: sum(balances) == supply
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
        balances[msg.sender] = mine - amount;
        uint256 theirs = balances[to];
        balances[to] = theirs + amount;
    }

    function audit(address who) external view {
        assert(balances[who] <= supply);
    }
}
