// Deposits by round; moving a deposit to a later round moves it in the totals too.
// needs: for every round: the sum of its deposits is its total
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Rounds {
    mapping(uint256 => mapping(address => uint256)) deposits;
    mapping(uint256 => uint256) totals;

    function deposit(uint256 round, uint256 amount) external {
        require(amount <= type(uint256).max - totals[round]);
        deposits[round][msg.sender] += amount;
        totals[round] += amount;
    }

    function move(uint256 from, uint256 to, uint256 amount) external {
        require(from < to && amount <= deposits[from][msg.sender]);
        require(amount <= type(uint256).max - totals[to]);
        deposits[from][msg.sender] -= amount;
        deposits[to][msg.sender] += amount;
        totals[from] -= amount;
        totals[to] += amount;
    }

    function audit(uint256 round, address who) external view {
        assert(deposits[round][who] <= totals[round]); // undecided
    }
}
