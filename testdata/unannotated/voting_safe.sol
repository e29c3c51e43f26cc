// Everybody who registers has one ballot.
// needs: yes + no + sum(ballots) == voters <= 1000
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Voting {
    mapping(address => bool) known;
    mapping(address => uint256) ballots;
    uint256 voters;
    uint256 yes;
    uint256 no;

    function register() external {
        require(!known[msg.sender] && voters < 1000);
        known[msg.sender] = true;
        ballots[msg.sender] = 1;
        voters++;
    }

    function vote(bool inFavour) external {
        require(ballots[msg.sender] == 1);
        ballots[msg.sender] = 0;
        if (inFavour) yes++;
        else no++;
    }

    function audit() external view {
        uint256 cast = yes + no;
        assert(cast <= voters);
    }
}
