// Everybody who registers has one ballot.
// breaks: deploy; alice: register(); alice: vote(true); alice: vote(true); audit()
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
        if (inFavour) yes++; // reverts
        else no++; // reverts
    }

    function audit() external view {
        uint256 cast = yes + no; // reverts
        assert(cast <= voters); // violated
    }
}
