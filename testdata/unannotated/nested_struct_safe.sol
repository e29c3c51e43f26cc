// A range inside a position, whose ends never cross.
// needs: for every a: range.low <= range.high <= 1000
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Positions {
    struct Range {
        uint32 low;
        uint32 high;
    }

    struct Position {
        bool open;
        Range range;
    }

    mapping(address => Position) positions;

    function open(uint32 low, uint32 high) external {
        require(low <= high && high <= 1000 && !positions[msg.sender].open);
        positions[msg.sender] = Position(true, Range(low, high));
    }

    function raiseLow(uint32 to) external {
        Range storage range = positions[msg.sender].range;
        require(to >= range.low && to <= range.high);
        range.low = to;
    }

    function cutHigh(uint32 to) external {
        Range storage range = positions[msg.sender].range;
        require(to >= range.low && to <= range.high);
        range.high = to;
    }

    function width(address who) external view returns (uint32) {
        Range memory range = positions[who].range;
        return range.high - range.low;
    }
}
