// A bit for each of eight tasks; the first bit says what a flag says.
// breaks: deploy; finish(0); toggle(0); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Tasks {
    uint8 mask;
    bool firstDone;

    function finish(uint8 task) external {
        require(task < 8);
        mask |= uint8(1) << task;
        if (task == 0) firstDone = true;
    }

    function toggle(uint8 task) external {
        require(task < 8);
        mask ^= uint8(1) << task;
    }

    function audit() external view {
        assert(firstDone == (mask & 1 == 1)); // violated
    }
}
