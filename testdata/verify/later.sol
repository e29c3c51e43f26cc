// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// @notice invariant start <= block.timestamp && at <= block.number
contract Clock {
    uint256 start;
    uint256 at;

    constructor() {
        start = block.timestamp;
        at = block.number;
    }

    function again() public {
        assert(start <= block.timestamp);
        start = block.timestamp;
    }
}

/// @notice invariant address(this).balance >= due
contract Debt {
    uint256 due;

    function pay() public payable {
        due += msg.value;
    }
}

/// @notice invariant key == 0 || kept == 1
contract Lock {
    uint256 transient key;
    uint256 kept;

    function set() public {
        key = 1;
        kept = 1;
    }
}
