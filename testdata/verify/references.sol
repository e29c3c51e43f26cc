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
        uint256 other = first ? b.x : a.x;
        p.x = 7;
        assert(first ? a.x == 7 : b.x == 7);
        assert(first ? b.x == other : a.x == other);
    }

    function memoryAliases() public pure {
        Point memory p = Point(1, 2);
        Point memory q = p;
        Point memory r = Point(1, 2);
        q.x = 5;
        assert(p.x == 5);
        assert(r.x == 1);
    }

    function storageIsCopied() public {
        a = Point(1, 2);
        Point memory copy = a;
        b = a;
        a.x = 9;
        assert(copy.x == 1 && b.x == 1);
    }

    function elementPointer(uint256 i) public {
        require(i < all.length);
        Point storage p = all[i];
        p.y = 3;
        assert(all[i].y == 3);
    }

    function arraysAlias(uint256[] memory xs) public pure {
        require(xs.length > 0);
        uint256[] memory ys = xs;
        ys[0] = 1;
        assert(xs[0] == 1);
    }
}
