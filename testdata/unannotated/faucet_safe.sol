// Everybody may take one portion per day.
// needs: for every a: seen[a] implies nextDay[a] == lastDay[a] + 1
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Faucet {
    uint256 constant DAY = 86400;
    uint256 store;
    mapping(address => bool) seen;
    mapping(address => uint256) nextDay;
    mapping(address => uint256) lastDay;

    function refill(uint256 amount) external {
        require(amount <= 1000 && store <= 1000000);
        store += amount;
    }

    function drip() external {
        uint256 today = block.timestamp / DAY;
        require(store > 0 && today >= nextDay[msg.sender]);
        assert(!seen[msg.sender] || today > lastDay[msg.sender]);
        store--;
        nextDay[msg.sender] = today + 1;
        seen[msg.sender] = true;
        lastDay[msg.sender] = today;
    }
}
