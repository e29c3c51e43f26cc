// fails: Checks.divide Checks.at Checks.phase Checks.drop
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Checks {
    enum Phase { Open, Closed, Done }

    uint256[] list;

    function divide(uint256 a, uint256 b) public pure returns (uint256) {
        return a / (b % 10);
    }

    function at(uint256[] memory items, uint256 i) public pure returns (uint256) {
        return i <= items.length ? items[i] : 0;
    }

    function phase(uint256 n) public pure returns (Phase) {
        require(n < 4);
        return Phase(n);
    }

    function drop() public {
        delete list;
        list.pop();
    }
}
