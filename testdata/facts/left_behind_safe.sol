// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: what a call returned stays until the next call
contract LeftBehind {
    function ask(address who) public {
        (, bytes memory answer) = who.call("");
        uint256 size;
        assembly { size := returndatasize() }
        assert(size == answer.length);
    }
}
