// fails: NoStart.[constructor] Lifts.lift Lifts.raise
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant low <= high
contract Range {
    uint256 low;
    uint256 high;

    function raise(uint256 to) public virtual {
        require(to >= high);
        high = to;
    }
}

contract NoStart is Range {
    constructor(uint256 start) {
        low = start;
    }
}

/// The inherited function keeps the inherited invariant, not this one.
/// @notice invariant high < 1000
contract Lifts is Range {
    function lift(uint256 to) public {
        require(to < 1000);
        low = to;
    }
}
