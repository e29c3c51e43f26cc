// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant shares == sum(members[__verifier_idx_address].shares)
contract Club {
    struct Member {
        bool admitted;
        uint128 shares;
    }

    mapping(address => Member) members;
    uint256 shares;

    /// @notice postcondition shares == old(shares) + count
    function buy(uint128 count) public {
        require(members[msg.sender].admitted);
        require(shares < 2 ** 100 && count < 2 ** 100);
        members[msg.sender].shares += count;
        shares += count;
    }

    function admit(address who) public {
        members[who].admitted = true;
    }

    function leave() public {
        shares -= members[msg.sender].shares;
        delete members[msg.sender];
    }
}
