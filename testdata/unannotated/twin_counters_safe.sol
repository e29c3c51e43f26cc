// Two counters that are stepped together, and one way to step them apart.
// needs: x == y, modulo 2^256
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
            y += 2;
        }
    }

    function check() external view {
        assert(x == y);
    }
}
