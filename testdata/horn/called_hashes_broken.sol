// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Hashes that need a call leave behind what it returned, also where nobody wants them.
contract Hashing {
    function ask(address who) external {
        (, bytes memory answer) = who.call("");
        sha256(answer);
        uint256 size;
        assembly {
            size := returndatasize()
        }
        assert(size == answer.length); // open
    }
}
