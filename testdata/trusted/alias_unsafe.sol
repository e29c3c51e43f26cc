// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Two variables of the same type may hold the same contract.
contract Cell {
    uint256 public value;

    function set(uint256 v) external {
        value = v;
    }
}

contract User {
    function both(Cell a, Cell b) external {
        a.set(1);
        b.set(2);
        assert(a.value() == 1); // violated
        assert(b.value() == 2);
    }
}
