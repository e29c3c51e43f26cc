// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

// needs: while others have control no other transaction begins, so that a lock which lasts for one is still there
contract Locked {
    bool transient locked;
    uint256 steps;

    modifier alone() {
        require(!locked);
        locked = true;
        _;
        locked = false;
    }

    function ask(address other) external alone {
        steps = 1;
        (bool ok, ) = other.call("");
        assert(locked && steps == 1);
        require(ok);
    }

    function set(uint256 value) external alone {
        steps = value;
    }
}
