// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

library Numbers {
    /// @notice postcondition r == 1
    function one() internal pure returns (uint256 r) {
        return 1;
    }

    /// @notice postcondition r == 2
    function two() internal pure returns (uint256 r) {
        return 3;
    }
}
