// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: take(9); take(9); take(9); take(9); take(9); take(9); take(9); take(9); take(9); take(9); take(9); take(9); take(2); look()
contract ManySteps {
    uint256 left = 110;

    function take(uint256 n) public {
        require(n < 10 && n <= left);
        left -= n;
    }

    function look() public view {
        assert(left > 0); // violated
    }
}
