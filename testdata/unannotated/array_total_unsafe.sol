// A total kept beside an array, and checked by a loop.
// breaks: deploy; add(5); set(0, 3); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Scores {
    uint256[] values;
    uint256 total;

    function add(uint256 value) external {
        require(value <= 100 && values.length < 10);
        values.push(value);
        total += value; // reverts
    }

    function set(uint256 i, uint256 value) external {
        require(value <= 100 && i < values.length);
        if (value > values[i]) total += value - values[i]; // reverts
        values[i] = value;
    }

    function audit() external view {
        uint256 sum = 0;
        for (uint256 i = 0; i < values.length; i++) {
            sum += values[i];
        }
        assert(sum == total); // violated
    }
}
