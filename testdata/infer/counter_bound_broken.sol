// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// One function forgets the guard, another one of the two counters.
contract Counter {
    uint public x;
    uint public y;

    function increment() public {
        x++; // open
        y++; // open
    }

    function reset() public {
        x = 0;
    }

    function look() public view {
        assert(x <= 10); // open
        assert(x == y); // open
    }
}
