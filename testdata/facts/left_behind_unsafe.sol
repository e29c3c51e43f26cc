// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: ask(0x1234567890123456789012345678901234567890)
// Some hashes are calculated by contracts of the machine, whose answers are returned data like others.
contract LeftBehind {
    function ask(address who) public {
        (, bytes memory answer) = who.call("");
        bytes32 hash = sha256("abc");
        uint256 size;
        assembly { size := returndatasize() }
        assert(size == answer.length); // violated
        assert(hash == sha256("abc"));
    }
}
