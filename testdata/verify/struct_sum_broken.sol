// fails: Club.leave Club.gift
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

    function admit(address who) public {
        members[who].admitted = true;
    }

    /// The shares stay behind.
    function leave() public {
        delete members[msg.sender];
    }

    /// Right only if the two differ.
    function gift(address to, uint128 count) public {
        uint128 mine = members[msg.sender].shares;
        uint128 theirs = members[to].shares;
        require(mine >= count && theirs < 1000 && count < 1000);
        members[msg.sender].shares = mine - count;
        members[to].shares = theirs + count;
    }
}
