// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.5.0;

contract Old {
    uint256[] a;

    function shrink() public {
        require(a.length > 0);
        a.pop();
    }

    function f() public view {
        assert(a.length < 2**64);
    }
}
