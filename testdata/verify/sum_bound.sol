// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// What is taken away was not negative, even if nobody looked at it before.
/// @notice invariant sum(members[__verifier_idx_address].shares) <= cap
/// @notice invariant sum(votes) <= cap
contract Club {
    struct Member {
        bool admitted;
        uint128 shares;
    }

    mapping(address => Member) members;
    mapping(address => uint128) votes;
    uint256 cap;

    function leave() public {
        delete members[msg.sender];
        delete votes[msg.sender];
    }

    function restart(address who) public {
        members[who] = Member(true, 0);
        votes[who] = 0;
    }
}
