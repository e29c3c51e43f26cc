// fails: Till.spend Till.grant
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Till {
    mapping(address => uint256) credit;
    address owner = msg.sender;

    /// Not the last of it.
    /// @notice succeeds-if amount <= credit[msg.sender] && msg.value == 0
    function spend(uint256 amount) public {
        require(amount < credit[msg.sender]);
        credit[msg.sender] -= amount;
    }

    /// @notice reverts-if msg.sender != owner
    function grant(address who, uint256 amount) public {
        require(msg.sender == owner || amount == 0);
        credit[who] = amount;
    }
}
