// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// A failed call leaves nothing behind.
contract Attempt {
    uint256 x;

    function g() public {
        x = 42;
    }

    function f() public {
        x = 1;
        bool success = false;
        try this.g() {
            success = true;
        } catch {}
        assert(success ? x == 42 : x == 1);
    }
}
