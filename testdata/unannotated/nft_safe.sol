// The number of tokens an account has, kept beside who owns which.
// needs: balances[a] is the number of ids with owner a, so an owner has at least one
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Collectibles {
    mapping(uint256 => address) ownerOf;
    mapping(address => uint256) balances;
    uint256 minted;

    function mint(uint256 id) external {
        require(msg.sender != address(0) && ownerOf[id] == address(0) && minted < 1000000);
        minted++;
        ownerOf[id] = msg.sender;
        balances[msg.sender]++;
    }

    function transfer(uint256 id, address to) external {
        require(ownerOf[id] == msg.sender && to != address(0));
        ownerOf[id] = to;
        balances[msg.sender]--;
        balances[to]++;
    }
}
