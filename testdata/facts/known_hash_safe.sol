// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: what is stored is hashed to what a constant of the same bytes is hashed to, and nothing else is
contract KnownHash {
    string name = "hornet";
    bytes mark;

    function set(bool on) public {
        if (on) {
            mark = "on";
        } else {
            delete mark;
        }
    }

    function look() public view {
        assert(keccak256(bytes(name)) == keccak256("hornet"));
        assert(sha256(bytes(name)) != sha256("Hornet"));
        assert(keccak256(mark) == keccak256("on") || keccak256(mark) == keccak256(""));
    }
}
