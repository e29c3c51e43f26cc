// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Paid by others, a contract has more than before; what it sends without data does not get here.
contract Purse {
    address last;

    /// @notice postcondition address(this).balance == __verifier_old_uint(address(this).balance) + msg.value
    function got() public payable {
        last = msg.sender;
    }

    function give(address payable to) public {
        to.transfer(1);
    }
}
