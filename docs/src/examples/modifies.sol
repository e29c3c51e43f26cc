// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Ledger {
    mapping(address => uint256) public amounts;
    address public owner = msg.sender;

    /// @notice modifies amounts[msg.sender]
    function set(uint256 amount) public {
        amounts[msg.sender] = amount;
    }

    /// @notice modifies owner if msg.sender == owner
    function pass(address to) public {
        if (msg.sender == owner) owner = to;
    }

    /// @notice modifies amounts[msg.sender]
    function move(address to) public {
        amounts[to] = amounts[msg.sender]; // `to` is somebody else
    }
}
