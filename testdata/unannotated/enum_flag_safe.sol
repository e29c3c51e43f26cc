// A bid is revealed only after it was committed, and only once.
// needs: for every a: counted[a] exactly if stage[a] == Revealed
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Sealed {
    enum Stage { None, Committed, Revealed }

    mapping(address => Stage) stage;
    mapping(address => uint256) bid;
    mapping(address => bool) counted;

    function commit(uint256 amount) external {
        require(stage[msg.sender] == Stage.None);
        bid[msg.sender] = amount;
        stage[msg.sender] = Stage.Committed;
    }

    function lower() external {
        require(stage[msg.sender] == Stage.Committed);
        stage[msg.sender] = Stage.Committed;
        if (bid[msg.sender] > 0) bid[msg.sender]--;
    }

    function reveal(uint256 amount) external {
        require(stage[msg.sender] == Stage.Committed && amount >= bid[msg.sender]);
        stage[msg.sender] = Stage.Revealed;
        assert(!counted[msg.sender]);
        counted[msg.sender] = true;
    }
}
