// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: set(true); look()
contract KnownHash {
    string name = "hornet";
    bytes mark;

    function set(bool on) public {
        if (on) {
            mark = "on\x00";
            name = "hive";
        } else {
            delete mark;
        }
    }

    function look() public view {
        assert(keccak256(bytes(name)) == keccak256("hornet")); // violated
        assert(sha256(bytes(name)) != sha256("hive")); // violated
        assert(keccak256(mark) == keccak256("on") || keccak256(mark) == keccak256("")); // violated
    }
}
