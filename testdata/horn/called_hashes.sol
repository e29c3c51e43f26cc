// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Hashes that the machine calculates itself leave nothing behind.
contract Hashing {
    function ask(address who) external {
        (, bytes memory answer) = who.call("");
        keccak256(answer);
        uint256 size;
        assembly {
            size := returndatasize()
        }
        assert(size == answer.length);
    }
}
