// Events say what happened, and change nothing about the season.
// breaks: deploy; owner: begin(); alice: score(2); owner: finish(); owner: begin(); owner: finish()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Season {
    event Goal(address indexed by, uint256 goals);
    event Finished(uint256 goals);

    address immutable owner = msg.sender;
    bool running;
    uint256 shots;
    uint256 goals;

    function begin() external {
        require(msg.sender == owner && !running);
        running = true;
        shots = 0;
    }

    function score(uint256 count) external {
        require(running && count <= 2 && shots < 1000);
        shots++;
        goals += count; // reverts
        emit Goal(msg.sender, goals);
    }

    function finish() external {
        require(msg.sender == owner && running);
        running = false;
        assert(goals <= 2 * shots); // violated
        emit Finished(goals);
    }
}
