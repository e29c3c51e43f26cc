// fails: Attempt.f
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// A call that does nothing wrong can still run out of the gas it was given, and leave the caller enough to go on.
contract Attempt {
    uint256 x;

    function g() public {
        x = 42;
    }

    function f() public {
        bool success = false;
        try this.g() {
            success = true;
        } catch {}
        assert(success);
    }
}
