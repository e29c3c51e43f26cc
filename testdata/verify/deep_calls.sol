// fails: Deep.f4 Deep.count
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// Internal functions are followed into, but not forever: what is too deep, or recursive, is verified on its own.
contract Deep {
    uint256 last;

    function top(uint256 x) public {
        f1(x);
    }

    function f1(uint256 x) internal {
        f2(x);
    }

    function f2(uint256 x) internal {
        f3(x);
    }

    function f3(uint256 x) internal {
        f4(x);
    }

    function f4(uint256 x) internal {
        f5(x);
    }

    function f5(uint256 x) internal {
        last = x;
        assert(x < 10);
    }

    function count(uint256 x) public {
        if (x > 0) count(x - 1);
        else assert(last == 0);
    }
}
