// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.7.0;

/// No balance is more than all of them together: nothing wraps around, in any version.
/// @notice invariant supply == __verifier_sum_uint(balances)
contract Token {
    mapping(address => uint256) balances;
    uint256 supply;

    constructor(uint256 supply_) {
        supply = supply_;
        balances[msg.sender] = supply_;
    }

    function transfer(address to, uint256 val) public {
        require(balances[msg.sender] >= val);
        balances[msg.sender] -= val;
        balances[to] += val;
        assert(balances[to] >= val);
    }
}
