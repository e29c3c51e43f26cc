// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Two variables of the same type are two contracts if their addresses differ.
contract Cell {
    uint256 public value;

    function set(uint256 v) external {
        value = v;
    }
}

contract User {
    function both(Cell a, Cell b) external {
        require(a != b);
        a.set(1);
        b.set(2);
        assert(a.value() == 1);
        assert(b.value() == 2);
    }
}
