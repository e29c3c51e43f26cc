// Two counters that are stepped together, and one way to step them apart.
// breaks: deploy; both(); skip(); check()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Twins {
    uint256 x;
    uint256 y;
    mapping(address => uint256) visits;

    function both() external {
        unchecked {
            x++;
            y++;
            visits[msg.sender]++;
        }
    }

    function skip() external {
        require(x > 0);
        unchecked {
            x += 2;
            y += 1;
        }
    }

    function check() external view {
        assert(x == y); // violated
    }
}
