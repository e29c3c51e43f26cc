// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Ledger {
    struct Account {
        uint256 amount;
        bool open;
    }

    mapping(address => Account) accounts;
    uint256 writes;
    bool frozen;

    /// @notice modifies accounts[msg.sender].amount
    /// @notice modifies writes
    function set(uint256 amount) public {
        accounts[msg.sender].amount = amount;
        writes = 1;
    }

    /// @notice modifies accounts[msg.sender] if !frozen
    function toggle() public {
        if (!frozen) accounts[msg.sender].open = !accounts[msg.sender].open;
    }

    /// @notice modifies frozen
    function freeze() public {
        frozen = true;
    }

    function amountOf(address who) public view returns (uint256) {
        return accounts[who].amount;
    }
}
