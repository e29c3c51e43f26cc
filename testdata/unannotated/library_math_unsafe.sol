// A library for limits; what is left must not go below zero.
// breaks: deploy; owner: setLimit(10); spend(6); owner: setLimit(5); spend(3)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

library Limits {
    function left(uint256 limit, uint256 used) internal pure returns (uint256) {
        unchecked {
            return limit - used;
        }
    }
}

contract Budget {
    using Limits for uint256;

    address immutable owner = msg.sender;
    uint256 limit;
    uint256 spent;

    function setLimit(uint256 most) external {
        require(msg.sender == owner && most <= 100);
        limit = most;
    }

    function spend(uint256 amount) external {
        uint256 room = limit.left(spent);
        require(amount <= room);
        assert(room <= 100); // violated
        spent += amount; // reverts
    }
}
