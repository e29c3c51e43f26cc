// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Till {
    mapping(address => uint256) public credit;

    /// @notice succeeds-if amount <= credit[msg.sender] && msg.value == 0
    /// @notice reverts-if amount > credit[msg.sender]
    function spend(uint256 amount) public {
        require(amount <= credit[msg.sender]);
        credit[msg.sender] -= amount;
    }

    /// @notice succeeds-if msg.value == 0
    function grant(uint256 amount) public {
        require(amount <= 100);
        credit[msg.sender] = amount;
    }
}
