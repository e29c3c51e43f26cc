// fails: Caller.one Caller.unused
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Functions outside contracts: what a call relies on is checked, and so is code that nobody calls.

/// @notice postcondition r == 1
function one() pure returns (uint256 r) {
    return 2;
}

function unused(uint256 x) pure returns (uint256) {
    assert(x != 5);
    return x;
}

contract Caller {
    function f() public pure {
        assert(one() == 1);
    }
}
