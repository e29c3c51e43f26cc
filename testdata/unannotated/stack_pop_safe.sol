// A calculator that takes two operands from its stack.
// needs: for every i: stack[i] <= 1000; stack.length <= 50
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Calculator {
    uint256[] stack;

    function push(uint256 number) external {
        require(number <= 1000 && stack.length < 50);
        stack.push(number);
    }

    function add() external {
        require(stack.length >= 2);
        uint256 a = stack[stack.length - 1];
        stack.pop();
        uint256 b = stack[stack.length - 1];
        stack.pop();
        require(a + b <= 1000);
        stack.push(a + b);
    }

    function drop() external {
        require(stack.length > 0);
        stack.pop();
    }
}
