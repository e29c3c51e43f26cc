// Each account acts at most once per block.
// needs: for every a: inBlock[a] <= 1, and active[a] implies lastBlock[a] <= block.number
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract OncePerBlock {
    mapping(address => bool) active;
    mapping(address => uint256) lastBlock;
    mapping(address => uint256) inBlock;

    function act() external {
        if (active[msg.sender]) {
            require(block.number > lastBlock[msg.sender]);
        }
        if (!active[msg.sender] || block.number != lastBlock[msg.sender]) inBlock[msg.sender] = 0;
        active[msg.sender] = true;
        lastBlock[msg.sender] = block.number;
        inBlock[msg.sender]++;
    }

    function audit(address who) external view {
        assert(inBlock[who] <= 1);
        assert(!active[who] || lastBlock[who] <= block.number);
    }
}
