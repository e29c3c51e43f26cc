// Each action asks for a level, and levels are given out one at a time.
// breaks: deploy; alice: train(); alice: train(); alice: operate(); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Training {
    mapping(address => uint256) level;
    mapping(address => uint256) time;
    bool operated;
    uint256 skilled;

    modifier atLeast(uint256 needed) {
        require(level[msg.sender] >= needed, "level");
        _;
    }

    function train() external {
        require(level[msg.sender] < 5);
        level[msg.sender]++;
        time[msg.sender] += 10;
    }

    function operate() external atLeast(2) {
        operated = true;
        skilled = time[msg.sender];
    }

    function audit() external view {
        assert(!operated || skilled >= 30); // violated
    }
}
