// fails: Clock.[constructor] Owned.[constructor] Rich.[constructor] Lock.set Asked.ask
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Time goes on.
/// @notice invariant start == block.timestamp
contract Clock {
    uint256 start;

    constructor() {
        start = block.timestamp;
    }
}

/// The next call comes from somebody else.
/// @notice invariant owner == msg.sender
contract Owned {
    address owner;

    constructor() {
        owner = msg.sender;
    }
}

/// Others spend their ether.
/// @notice invariant address(1).balance >= least
contract Rich {
    uint256 least;

    constructor() {
        least = address(1).balance;
    }
}

/// Transient storage is empty in the next transaction.
/// @notice invariant key == kept
contract Lock {
    uint256 transient key;
    uint256 kept;

    function set() public {
        key = 1;
        kept = 1;
    }
}

/// Whoever is called can call back.
/// @notice invariant user != msg.sender || user == address(0)
contract Asked {
    address user;

    function ask(address other) public returns (bool ok) {
        user = address(uint160(msg.sender) ^ 1);
        (ok, ) = other.call("");
        user = address(0);
    }
}
