// A buffer of three that goes round.
// needs: count <= 3 and head < 3
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract RingBuffer {
    uint256 constant ROOM = 3;
    uint256[3] slots;
    uint256 head;
    uint256 count;

    function push(uint256 item) external {
        require(count < ROOM);
        slots[(head + count) % ROOM] = item;
        count++;
    }

    function shift() external returns (uint256 item) {
        require(count > 0);
        item = slots[head];
        head = (head + 1) % ROOM;
        count--;
    }

    function size() external view returns (uint256) {
        assert(count <= ROOM);
        return count;
    }
}
