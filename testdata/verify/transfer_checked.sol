// undecided: Token.transfer
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// From 0.8 on a sum that does not fit reverts: the assertion holds.
contract Token {
    mapping(address => uint256) balances;

    function transfer(address to, uint256 val) public {
        require(balances[msg.sender] >= val);
        balances[msg.sender] -= val;
        balances[to] += val;
        assert(balances[to] >= val);
    }
}
