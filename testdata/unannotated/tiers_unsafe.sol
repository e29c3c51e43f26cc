// The tier of a member goes down again with its points.
// breaks: deploy; alice: earn(60); alice: earn(60); alice: redeem(50); audit(alice)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Tiers {
    uint256 constant GOLD = 100;
    uint256 constant MOST = 60;
    mapping(address => uint256) points;
    mapping(address => bool) gold;

    function earn(uint256 amount) external {
        require(amount <= MOST && points[msg.sender] <= 1000);
        points[msg.sender] += amount;
        if (points[msg.sender] >= GOLD) gold[msg.sender] = true;
    }

    function redeem(uint256 amount) external {
        require(amount <= points[msg.sender]);
        points[msg.sender] -= amount;
    }

    function audit(address who) external view {
        assert(gold[who] == (points[who] >= GOLD)); // violated
    }
}
