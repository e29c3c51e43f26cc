// Before 0.8: one amount for several receivers, whose product wraps.
// breaks: deploy; owner: transfer(alice, 1); alice: batch([bob, carol], 1 << 255); audit(bob)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.7.0;

contract OldToken {
    uint256 constant SUPPLY = 1000;
    mapping(address => uint256) balances;

    constructor() {
        balances[msg.sender] = SUPPLY;
    }

    function transfer(address to, uint256 amount) external {
        require(amount <= balances[msg.sender]);
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }

    function batch(address[2] calldata to, uint256 amount) external {
        uint256 all = 2 * amount;
        require(balances[msg.sender] > 0 && all <= balances[msg.sender]);
        balances[msg.sender] -= all;
        balances[to[0]] += amount;
        balances[to[1]] += amount;
    }

    function audit(address who) external view {
        assert(balances[who] <= SUPPLY); // violated
    }
}
