// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// It is not enough to write storage, and nobody can write what no function writes.
contract Lock {
    uint256 transient key;
    uint256 transient own;
    uint256 kept;

    constructor() {
        own = 1;
        assert(own == 1);
    }

    function set(uint256 value) public {
        key = value;
        kept = value;
    }

    function pay(address payable other) public {
        kept = 1;
        uint256 before = own;
        other.transfer(0);
        assert(kept == 1 && own == before);
    }
}
