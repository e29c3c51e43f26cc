// The limits given at deployment must make sense, and the tank never overflows.
// needs: content <= capacity and portion <= capacity
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Tank {
    uint256 capacity;
    uint256 portion;
    uint256 content;

    constructor(uint256 most, uint256 each) {
        require(most > 0 && most <= 1000 && each <= 1000);
        require(each <= most);
        capacity = most;
        portion = each;
    }

    function fill(uint256 amount) external {
        require(amount > 0 && amount <= portion);
        if (content + amount > capacity) content = amount;
        else content += amount;
    }

    function audit() external view {
        assert(content <= capacity);
    }
}
