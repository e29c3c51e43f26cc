// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.5.0;

// The slots of storage go round: an array that is long enough reaches every variable.
contract Far {
    uint256[] entries;
    address owner;

    constructor() public {
        owner = msg.sender;
    }

    function shrink() public {
        entries.length--;
    }

    function write(uint256 at, uint256 value) public {
        entries[at] = value;
    }

    function look() public view {
        assert(owner != address(0)); // open
    }
}

// Hashes lie anywhere in this one.
contract Field {
    uint256[2**255] field;
    mapping(uint256 => uint256) notes;

    function fill(uint256 at, uint256 value) public {
        field[at] = value;
    }

    function look(uint256 key) public view {
        assert(notes[key] == 0); // open
    }
}
