// args: --arithmetic bv
// fails: Owned.[constructor] Clock.[constructor]
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// The next call comes from somebody else.
/// @notice invariant owner == msg.sender
contract Owned {
    address owner;

    constructor() {
        owner = msg.sender;
    }
}

/// Time goes on.
/// @notice invariant start == block.timestamp
/// @notice invariant start <= block.timestamp
contract Clock {
    uint256 start;

    constructor() {
        start = block.timestamp;
    }
}
