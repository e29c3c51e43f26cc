// Everybody claims once, and the claims never exceed what was put in.
// needs: claimed + reserve == funded
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
        reserve -= amount;
        claimed += amount;
    }

    function audit() external view {
        assert(claimed <= funded);
    }
}
