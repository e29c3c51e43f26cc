// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Loops {
    /// @notice postcondition r == 2 * n
    function double(uint256 n) public pure returns (uint256 r) {
        require(n < 1000);
        /// @notice invariant i <= n && r == 2 * i
        for (uint256 i = 0; i < n; i++) {
            r += 2;
        }
    }

    function count(uint256 n) public pure returns (uint256 r) {
        require(n < 1000);
        /// @notice invariant r < n
        for (uint256 i = 0; i < n; i++) {
            r++;
        }
    }
}
