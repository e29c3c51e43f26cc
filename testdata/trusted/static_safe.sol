// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Somebody who is only asked changes nothing, also not in a third contract.
interface Oracle {
    function price() external view returns (uint256);
}

contract Cell {
    uint256 public value;

    function set(uint256 v) external {
        value = v;
    }
}

contract User {
    function ask(Cell cell, Oracle oracle) external {
        cell.set(3);
        uint256 price = oracle.price();
        assert(cell.value() == 3);
        cell.set(price);
        assert(cell.value() == price);
    }
}
