// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A proof never rests on a check that may fail: the second assertion is not saved by the first.
contract Failing {
    uint x;

    function set(uint v) public {
        x = v;
        assert(v < 5); // open
        assert(v < 10); // open
    }

    function look() public view {
        assert(x < 10); // open
    }
}
