// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// The second contract that a loop creates is not the first one.
contract Cell {
    uint256 public immutable value;

    constructor(uint256 v) {
        value = v;
    }
}

contract Maker {
    function make(uint256 n) external {
        require(n < 10);
        for (uint256 i = 0; i < n; i++) {
            Cell cell = new Cell(i);
            assert(cell.value() == 0); // violated
        }
    }
}
