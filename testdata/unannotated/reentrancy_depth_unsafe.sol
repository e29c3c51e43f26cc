// A caller may come back once before its first call is over.
// breaks: deploy; eve: enter() [enter() | enter() | look()]
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Depth {
    uint256 depth;

    function enter() external {
        require(depth <= 2);
        depth++;
        (bool ok, ) = msg.sender.call("");
        require(ok);
        depth--;
    }

    function look() external view {
        assert(depth <= 2); // violated
    }
}
