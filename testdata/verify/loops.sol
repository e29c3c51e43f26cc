// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Loops {
    /// @notice postcondition r == n
    function byFor(uint256 n) public pure returns (uint256 r) {
        /// @notice invariant r == i && i <= n
        for (uint256 i = 0; i < n; i++) {
            r++;
        }
    }

    /// @notice precondition n < 1000
    /// @notice postcondition r == 2 * n
    function byWhile(uint256 n) public pure returns (uint256 r) {
        uint256 left = n;
        /// @notice invariant left <= n
        /// @notice invariant r == 2 * (n - left)
        while (left > 0) {
            left--;
            r += 2;
        }
    }

    /// The body runs before the condition is first looked at, and so before the invariant is.
    /// @notice precondition n > 0
    /// @notice postcondition r == n
    function byDoWhile(uint256 n) public pure returns (uint256 r) {
        /// @notice invariant r <= n
        do {
            r++;
        } while (r < n);
    }

    function leaves(uint256 n) public pure returns (uint256 i) {
        /// @notice invariant i <= 10
        while (i < 10) {
            if (i == n) break;
            i++;
        }
        assert(i <= 10);
        assert(i == 10 || i == n);
    }
}
