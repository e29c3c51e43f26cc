// fails: Purse.got
// undecided: Purse.turn
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// A contract that pays itself has no more than before.
contract Purse {
    address last;

    /// @notice postcondition address(this).balance == __verifier_old_uint(address(this).balance) + msg.value
    function got() public payable {
        last = msg.sender;
    }

    function turn() public {
        this.got{value: 1}();
    }
}
