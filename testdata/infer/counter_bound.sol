// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A bound that a guard keeps, and a second counter that goes in step.
contract Counter {
    uint public x;
    uint public y;

    function increment() public {
        require(x < 10);
        x++;
        y++;
    }

    function reset() public {
        x = 0;
        y = 0;
    }

    function look() public view {
        assert(x <= 10);
        assert(x == y);
    }
}
