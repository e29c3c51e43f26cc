// fails: Lock.pay Lock.loop
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// The gas of a transfer is enough to come back and write transient storage.
contract Lock {
    uint256 transient key;

    function set(uint256 value) public {
        key = value;
    }

    function pay(address payable other) public {
        key = 1;
        other.transfer(0);
        assert(key == 1);
    }

    function loop(address payable other, uint256 n) public {
        key = 1;
        for (uint256 i = 0; i < n; i++) {
            assert(key == 1);
            other.transfer(0);
        }
    }
}
