// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant low <= high
contract Range {
    uint256 public low;
    uint256 public high;

    function widen(uint256 n) public {
        low = low / 2;
        grow(n);
    }

    /// @notice {contractInvariants}
    function grow(uint256 n) internal {
        require(n < 1000 && high < 1000);
        high += n;
    }

    function narrow(uint256 n) public {
        shrink(n);
    }

    /// @notice {contractInvariants}
    function shrink(uint256 n) internal {
        require(n <= high);
        high -= n;
    }
}
