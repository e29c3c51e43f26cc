// A bonus that is staked again counts towards the total as well.
// breaks: deploy; alice: stake(10); alice: compound(); alice: unstake(11)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Staking {
    mapping(address => uint256) staked;
    mapping(address => bool) rewarded;
    uint256 total;

    function stake(uint256 amount) external {
        require(amount > 0 && total <= 1000 && amount <= 1000);
        staked[msg.sender] += amount; // reverts
        total += amount;
    }

    function compound() external {
        require(staked[msg.sender] >= 10 && !rewarded[msg.sender] && total < 2000);
        rewarded[msg.sender] = true;
        staked[msg.sender] += staked[msg.sender] / 10; // reverts
    }

    function unstake(uint256 amount) external {
        require(amount <= staked[msg.sender]);
        assert(amount <= total); // violated
        staked[msg.sender] -= amount;
        total -= amount; // reverts
    }
}
