// Once the result is fixed, no further vote counts.
// needs: closed implies votes == result, because end <= block.timestamp from then on
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Ballot {
    uint256 immutable end;
    mapping(address => bool) voted;
    uint256 votes;
    uint256 result;
    bool closed;

    constructor(uint256 time) {
        end = time;
    }

    function vote() external {
        require(!voted[msg.sender] && votes < 1000);
        require(block.timestamp < end);
        voted[msg.sender] = true;
        votes++;
    }

    function close() external {
        require(block.timestamp >= end && !closed);
        closed = true;
        result = votes;
    }

    function audit() external view {
        require(closed);
        assert(result == votes);
    }
}
