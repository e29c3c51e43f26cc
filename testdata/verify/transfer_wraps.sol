// fails: Token.transfer
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.7.0;

/// Before 0.8 the receiver's balance wraps around.
contract Token {
    mapping(address => uint256) balances;

    function transfer(address to, uint256 val) public {
        require(balances[msg.sender] >= val);
        balances[msg.sender] -= val;
        balances[to] += val;
        assert(balances[to] >= val);
    }
}
