// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: change(0x01); look()
contract KeptHash {
    bytes text;
    uint256 number;
    bytes32 mark;
    bytes32 pair;

    constructor(bytes memory first) {
        text = first;
        mark = keccak256(text);
        pair = keccak256(abi.encode(number, mark));
    }

    function change(bytes memory next) public {
        text = next;
        number = 1;
    }

    function look() public view {
        assert(keccak256(text) == mark); // violated
        assert(keccak256(abi.encode(number, mark)) == pair); // violated
    }
}
