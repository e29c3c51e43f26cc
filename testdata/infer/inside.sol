// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A public function that is called from inside while the two variables differ: inferred invariants say nothing there.
contract Inside {
    uint x;
    uint y;

    function second() public {
        require(y + 1 == x);
        y = x;
    }

    function both() public {
        require(x < 100);
        x += 1;
        second();
        assert(x == y);
    }

    function look() public view {
        assert(x == y);
        assert(x <= 100);
    }
}
