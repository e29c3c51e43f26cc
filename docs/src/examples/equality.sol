// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Shapes {
    struct Point {
        uint256 x;
        uint256 y;
    }

    Point public home;

    /// @notice postcondition eq(home, p)
    function settle(Point memory p) public {
        home = p;
    }

    /// @notice postcondition eq(p, q)
    /// @notice postcondition __verifier_eq(p, q)
    function copy(Point memory p) internal pure returns (Point memory q) {
        q = Point(p.x, p.y); // the same contents, but another object
    }

    function use() public pure {
        copy(Point(1, 2));
    }
}
