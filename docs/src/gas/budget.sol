// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Budget {
    uint256[] items;
    uint256 best;

    /// @custom:gas <= 30000
    function set(uint256 to) external {
        best = to;
    }

    /// @notice gas <= 2500*values.length + 30000
    function sum(uint256[] calldata values) external pure returns (uint256 total) {
        for (uint256 i = 0; i < values.length; i++) total += values[i];
    }

    /// @custom:gas <= 50000
    function add(uint256 value) external {
        items.push(value);
        best = value > best ? value : best;
    }
}
