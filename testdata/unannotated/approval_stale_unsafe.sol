// An approval ends when the thing changes hands.
// breaks: deploy; alice: mint(1); alice: approve(1, bob); alice: give(1, carol); bob: take(1)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Deeds {
    mapping(uint256 => bool) exists;
    mapping(uint256 => address) ownerOf;
    mapping(uint256 => bool) approved;
    mapping(uint256 => address) delegateOf;
    mapping(uint256 => address) grantedBy;

    function mint(uint256 id) external {
        require(!exists[id]);
        exists[id] = true;
        ownerOf[id] = msg.sender;
    }

    function approve(uint256 id, address to) external {
        require(exists[id] && ownerOf[id] == msg.sender);
        approved[id] = true;
        delegateOf[id] = to;
        grantedBy[id] = msg.sender;
    }

    function give(uint256 id, address to) external {
        require(exists[id] && ownerOf[id] == msg.sender);
        ownerOf[id] = to;
    }

    function take(uint256 id) external {
        require(exists[id] && approved[id] && delegateOf[id] == msg.sender);
        assert(grantedBy[id] == ownerOf[id]); // violated
        ownerOf[id] = msg.sender;
        approved[id] = false;
    }
}
