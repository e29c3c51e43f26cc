// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: blocks have 64 bits for time and number
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
        assert(uint64(block.timestamp) == block.timestamp);
    }
}
