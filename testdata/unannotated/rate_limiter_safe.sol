// At most ten units per window of time.
// needs: used <= LIMIT; begin <= block.timestamp
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract RateLimiter {
    uint256 constant WINDOW = 60;
    uint256 constant LIMIT = 10;
    uint256 begin;
    uint256 used;

    function take(uint256 units) external {
        require(units > 0 && units <= LIMIT);
        if (block.timestamp - begin >= WINDOW) {
            begin = block.timestamp;
            used = 0;
        }
        require(used + units <= LIMIT);
        used += units;
    }

    function audit() external view {
        assert(used <= LIMIT);
    }
}
