// Callers may come back, but not more than twice.
// needs: depth <= 2, and each call leaves depth as it found it
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Depth {
    uint256 depth;

    function enter() external {
        require(depth < 2);
        depth++;
        assert(depth <= 2);
        (bool ok, ) = msg.sender.call("");
        require(ok);
        depth--;
    }

    function idle() external view {
        assert(depth <= 3);
    }
}
