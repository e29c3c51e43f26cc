// A total kept beside an array, and checked by a loop.
// needs: sum(values) == total; in the loop: sum so far plus the rest is the total
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Scores {
    uint256[] values;
    uint256 total;

    function add(uint256 value) external {
        require(value <= 100 && values.length < 10);
        values.push(value);
        total += value;
    }

    function set(uint256 i, uint256 value) external {
        require(value <= 100 && i < values.length);
        total = total - values[i] + value;
        values[i] = value;
    }

    function audit() external view {
        uint256 sum = 0;
        for (uint256 i = 0; i < values.length; i++) {
            sum += values[i];
        }
        assert(sum == total); // undecided
    }
}
