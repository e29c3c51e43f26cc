// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.5.0;

// Elements near the beginning of an array are where they belong, however long it claims to be.
contract Far {
    uint256[] entries;
    uint256[2**255] field;
    mapping(uint256 => uint256) notes;
    address owner;

    constructor() public {
        owner = msg.sender;
    }

    function shrink() public {
        entries.length--;
    }

    function write(uint256 at, uint256 value) public {
        require(at < 1000);
        entries[at] = value;
    }

    function fill(uint256 at, uint256 value) public {
        require(at < 1000);
        field[at] = value;
    }

    function look(uint256 key) public view {
        assert(owner != address(0));
        assert(notes[key] == 0);
    }
}
