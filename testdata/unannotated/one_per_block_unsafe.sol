// Each account acts at most once per block.
// breaks: deploy; alice: act(); alice: act(); audit(alice)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract OncePerBlock {
    mapping(address => bool) active;
    mapping(address => uint256) lastBlock;
    mapping(address => uint256) inBlock;

    function act() external {
        if (active[msg.sender]) {
            require(block.number >= lastBlock[msg.sender]);
        }
        if (!active[msg.sender] || block.number != lastBlock[msg.sender]) inBlock[msg.sender] = 0;
        active[msg.sender] = true;
        lastBlock[msg.sender] = block.number;
        inBlock[msg.sender]++; // reverts
    }

    function audit(address who) external view {
        assert(inBlock[who] <= 1); // violated
        assert(!active[who] || lastBlock[who] <= block.number);
    }
}
