// Each action asks for a level, and levels are given out one at a time.
// needs: for every a: time[a] == 10 * level[a] <= 50; operated implies skilled >= 30
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

    function operate() external atLeast(3) {
        operated = true;
        skilled = time[msg.sender];
    }

    function audit() external view {
        assert(!operated || skilled >= 30);
    }
}
