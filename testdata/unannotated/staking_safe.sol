// A bonus that is staked again counts towards the total as well.
// needs: sum(staked) == total < 2200
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Staking {
    mapping(address => uint256) staked;
    mapping(address => bool) rewarded;
    uint256 total;

    function stake(uint256 amount) external {
        require(amount > 0 && total <= 1000 && amount <= 1000);
        staked[msg.sender] += amount;
        total += amount;
    }

    function compound() external {
        require(staked[msg.sender] >= 10 && !rewarded[msg.sender] && total < 2000);
        rewarded[msg.sender] = true;
        uint256 bonus = staked[msg.sender] / 10;
        staked[msg.sender] += bonus;
        total += bonus;
    }

    function unstake(uint256 amount) external {
        require(amount <= staked[msg.sender]);
        assert(amount <= total);
        staked[msg.sender] -= amount;
        total -= amount;
    }
}
