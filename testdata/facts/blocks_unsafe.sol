// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: wait 1099511627776; short()
contract Blocks {
    function later() public view returns (uint256) {
        uint256 due = block.timestamp + 7 days;
        assert(due > block.timestamp);
        return due;
    }

    function next() public view {
        unchecked {
            assert(block.number + 2 > block.number);
        }
    }

    function short() public view {
        assert(uint40(block.timestamp) == block.timestamp); // violated
    }
}
