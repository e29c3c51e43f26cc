// warns: contradict
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant x > 10
/// @notice invariant x < 10
contract Impossible {
    uint256 x;

    constructor() {
        revert();
    }

    function f() public view {
        assert(x == 1000);
    }
}

contract Vacuous {
    /// @notice precondition a > b
    /// @notice precondition b > a
    function never(uint256 a, uint256 b) public pure {
        assert(a == b + 1);
    }

    /// @notice postcondition r == 1
    function noReturn(uint256 a) public pure returns (uint256 r) {
        require(a > 5);
        require(a < 5);
        r = 2;
    }

    /// @notice postcondition r == 1
    function fine(uint256 a) public pure returns (uint256 r) {
        require(a > 5);
        r = 1;
    }
}
