// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Airdrop {
    mapping(address => uint256) paid;
    address[] holders;
    uint256 price;

    function setPrice(uint256 to) external {
        price = to;
    }

    function push(address[] calldata to, uint256 amount) external {
        for (uint256 i = 0; i < to.length; i++) paid[to[i]] += amount;
    }

    function payAll(uint256 amount) external {
        for (uint256 i = 0; i < holders.length; i++) paid[holders[i]] += amount;
    }

    function collatz(uint256 n) external pure returns (uint256 steps) {
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
    }

    receive() external payable {
        holders.push(msg.sender);
    }
}
