// A counter of eight bits, increased in steps.
// breaks: deploy; add(200); add(100); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Level {
    uint8 constant MOST = 250;
    uint8 level;
    uint8 lowest;

    function add(uint8 step) external {
        unchecked {
            require(level + step <= MOST);
            level += step;
        }
        if (step >= 100) lowest = 100;
    }

    function audit() external view {
        assert(level >= lowest); // violated
    }
}
