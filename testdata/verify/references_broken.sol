// fails: References.storagePointer References.memoryAliases References.storageIsCopied References.elementPointer References.arraysAlias
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract References {
    struct Point {
        uint256 x;
        uint256 y;
    }

    Point a;
    Point b;
    Point[] all;

    function storagePointer(bool first) public {
        Point storage p = first ? a : b;
        p.x = 7;
        assert(a.x == 7);
    }

    function memoryAliases() public pure {
        Point memory p = Point(1, 2);
        Point memory q = p;
        q.x = 5;
        assert(p.x == 1);
    }

    function storageIsCopied() public {
        a = Point(1, 2);
        Point memory copy = a;
        a.x = 9;
        assert(copy.x == 9);
    }

    function elementPointer(uint256 i, uint256 j) public {
        require(i < all.length && j < all.length && all[j].y == 0);
        Point storage p = all[i];
        p.y = 3;
        assert(all[j].y == 0);
    }

    /// Two parameters never are the same object.
    function arraysAlias(uint256[] memory xs, uint256[] memory ys) public pure {
        require(xs.length > 0 && ys.length > 0);
        ys[0] = 1;
        assert(xs[0] == 1);
    }
}
