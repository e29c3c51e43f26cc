// Amounts are kept in 128 bits, and the total in 256.
// breaks: deploy; addLeft(3); addRight(1 << 128); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Scales {
    uint256 total;
    uint128 left;
    uint128 right;

    function addLeft(uint256 amount) external {
        require(amount <= type(uint128).max - left);
        left += uint128(amount);
        total += amount; // reverts
    }

    function addRight(uint256 amount) external {
        right += uint128(amount); // reverts
        total += amount; // reverts
    }

    function audit() external view {
        assert(total == uint256(left) + uint256(right)); // violated
    }
}
