// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: pay{5}(0x1234567890123456789012345678901234567890)
// An account that has nothing has no hash, not even that of no code.
contract AccountHash {
    function pay(address payable who) public payable {
        require(who.code.length == 0 && msg.value > 0);
        bytes32 before = who.codehash;
        who.transfer(msg.value); // reverts
        assert(who.codehash == before); // open
    }
}
