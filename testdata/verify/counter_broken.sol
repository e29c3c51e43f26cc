// fails: Counter.up Counter.jump
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant count <= LIMIT
/// @notice invariant steps >= count
contract Counter {
    uint256 constant LIMIT = 100;
    uint256 count;
    uint256 steps;

    function up() public {
        require(count <= LIMIT && steps < type(uint256).max);
        count++;
        steps++;
    }

    function jump(uint256 to) public {
        require(to <= LIMIT);
        count = to;
    }

    function reset() public {
        count = 0;
    }
}
