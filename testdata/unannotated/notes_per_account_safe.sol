// An array for each account; a note that is dropped is no longer counted.
// needs: counts[a] == notes[a].length for every a
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Notes {
    mapping(address => uint256[]) notes;
    mapping(address => uint256) counts;

    function write(uint256 note) external {
        require(counts[msg.sender] < 100);
        notes[msg.sender].push(note);
        counts[msg.sender]++;
    }

    function drop() external {
        require(notes[msg.sender].length > 0);
        notes[msg.sender].pop();
        counts[msg.sender]--;
    }

    function audit(address who) external view {
        assert(counts[who] == notes[who].length);
    }
}
