// A process goes from phase to phase by number.
// needs: steps == uint256(phase)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Process {
    enum Phase { Draft, Review, Closed }

    Phase public phase;
    uint8 steps;

    function next() external {
        require(steps < 2);
        steps++;
        phase = Phase(uint256(phase) + 1);
    }

    function back() external {
        require(phase == Phase.Review);
        phase = Phase.Draft;
        steps = 0;
    }
}
