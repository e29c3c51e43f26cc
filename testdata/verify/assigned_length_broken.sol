// fails: Old.f
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.5.0;

/// The length of an array may be anything that it is set to, and below zero is the end of the range.
contract Old {
    uint256[] a;

    function shrink() public {
        a.length--;
    }

    function f() public view {
        assert(a.length < 2**64);
    }
}
