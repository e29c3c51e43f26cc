// args: --arithmetic mod-overflow
// fails: Race.lead
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.7.0;

// The check after the fact catches overflow upwards only: a negative step can still wrap around.

/// @notice invariant ahead == behind
contract Race {
    int256 ahead;
    int256 behind;

    /// @notice precondition ahead == behind
    /// @notice postcondition ahead == behind + n
    function lead(int256 n) internal {
        ahead = ahead + n;
        require(ahead >= behind); // also catches an overflow of the line above
    }

    function advance(int256 n) public {
        require(n >= 0);
        lead(n);
        /// @notice invariant behind <= ahead
        while (behind < ahead) {
            behind = behind + 1;
        }
    }
}
