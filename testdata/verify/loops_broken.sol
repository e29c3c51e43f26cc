// fails: Loops.notAtEntry Loops.notKept Loops.tooWeak Loops.doWhile
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Loops {
    /// @notice precondition n < 1000
    function notAtEntry(uint256 n) public pure {
        uint256 i = 0;
        /// @notice invariant i >= 1
        while (i < n) {
            i++;
        }
    }

    function notKept(uint256 n) public pure {
        uint256 half = 0;
        /// @notice invariant 2 * half == i
        for (uint256 i = 0; i < n; i++) {
            if (i % 2 == 0) half++;
        }
    }

    /// @notice postcondition r == n
    function tooWeak(uint256 n) public pure returns (uint256 r) {
        /// @notice invariant i <= n
        for (uint256 i = 0; i < n; i++) {
            r++;
        }
    }

    /// Runs once even for 0.
    /// @notice postcondition r == n
    function doWhile(uint256 n) public pure returns (uint256 r) {
        /// @notice invariant r == 1 || r <= n
        do {
            r++;
        } while (r < n);
    }
}
