// Amounts are kept in 128 bits, and the total in 256.
// needs: total == uint256(left) + uint256(right)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Scales {
    uint256 total;
    uint128 left;
    uint128 right;

    function addLeft(uint256 amount) external {
        require(amount <= type(uint128).max - left);
        left += uint128(amount);
        total += amount;
    }

    function addRight(uint256 amount) external {
        require(amount <= type(uint128).max - right);
        right += uint128(amount);
        total += amount;
    }

    function audit() external view {
        assert(total == uint256(left) + uint256(right));
    }
}
