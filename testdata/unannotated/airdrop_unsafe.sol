// Everybody claims once, and the claims never exceed what was put in.
// breaks: deploy; owner: fund(4); alice: claim(4); bob: claim(4); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Airdrop {
    address immutable owner = msg.sender;
    uint256 reserve;
    uint256 funded;
    uint256 claimed;
    mapping(address => bool) done;

    function fund(uint256 amount) external {
        require(msg.sender == owner && amount <= 1000 && funded <= 1000000);
        funded += amount;
        reserve += amount;
    }

    function claim(uint256 amount) external {
        require(amount <= reserve && amount <= 10);
        require(!done[msg.sender]);
        done[msg.sender] = true;
        claimed += amount; // reverts
    }

    function audit() external view {
        assert(claimed <= funded); // violated
    }
}
