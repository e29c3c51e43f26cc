// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// What a contract leaves to itself is lost, and it can still be called in the same transaction.
contract Heir {
    uint256 got;

    function put() public payable {
        got += msg.value;
    }

    function end() public {
        selfdestruct(payable(address(this)));
    }

    function look() public view {
        assert(address(this).balance >= got); // open
    }
}
