// The limits given at deployment must make sense, and the tank never overflows.
// breaks: deploy(10, 20); fill(9); fill(15); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Tank {
    uint256 capacity;
    uint256 portion;
    uint256 content;

    constructor(uint256 most, uint256 each) {
        require(most > 0 && most <= 1000 && each <= 1000);
        capacity = most;
        portion = each;
    }

    function fill(uint256 amount) external {
        require(amount > 0 && amount <= portion);
        if (content + amount > capacity) content = amount;
        else content += amount;
    }

    function audit() external view {
        assert(content <= capacity); // violated
    }
}
