// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Checks {
    enum Phase { Open, Closed, Done }

    uint256[] list;

    function divide(uint256 a, uint256 b) public pure returns (uint256) {
        require(b != 0);
        return a / b + a % b;
    }

    function at(uint256 i) public view returns (uint256) {
        return i < list.length ? list[i] : 0;
    }

    function phase(uint256 n) public pure returns (Phase) {
        require(n < 3);
        return Phase(n);
    }

    function drop() public {
        if (list.length > 0) list.pop();
    }
}
