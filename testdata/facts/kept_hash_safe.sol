// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: the same is hashed to the same, whenever that is done
contract KeptHash {
    bytes text;
    uint256 number;
    bytes32 mark;
    bytes32 pair;

    constructor(bytes memory first) {
        text = first;
        mark = sha256(text);
        pair = keccak256(abi.encode(number, mark));
    }

    function change(bytes memory next) public {
        text = next;
        mark = sha256(text);
        pair = keccak256(abi.encode(number, mark));
    }

    function look() public view {
        assert(sha256(text) == mark);
        assert(keccak256(abi.encode(number, mark)) == pair);
    }
}
