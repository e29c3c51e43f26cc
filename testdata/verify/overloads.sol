// fails: Shape.area(uint256,uint256)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Shape {
    modifier small(uint256 n) {
        require(n < 1000);
        _;
        assert(last < 1000 * 1000);
    }

    uint256 last;

    function area(uint256 side) public small(side) returns (uint256) {
        last = side * side;
        return last;
    }

    function area(uint256 a, uint256 b) public small(a) returns (uint256) {
        require(b < 1003);
        last = a * b;
        return last;
    }
}
