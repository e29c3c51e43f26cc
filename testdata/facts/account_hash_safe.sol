// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: the hash of an account's code is the same as long as nothing happens to the account
contract AccountHash {
    function look(address who) public view {
        bytes32 before = who.codehash;
        require(who != msg.sender);
        assert(who.codehash == before);
    }
}
