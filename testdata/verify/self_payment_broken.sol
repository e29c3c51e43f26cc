// fails: Purse.got
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// A contract that pays itself has no more than before.
contract Purse {
    uint256 calls;

    /// @notice postcondition address(this).balance == __verifier_old_uint(address(this).balance) + msg.value
    function got() public payable {
        calls++;
    }

    function turn() public {
        this.got{value: 1}();
    }
}
