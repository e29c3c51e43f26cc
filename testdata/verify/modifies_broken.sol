// fails: Ledger.set Ledger.toggle Ledger.setFor Ledger.freeze
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

    /// Also counts.
    /// @notice modifies accounts[msg.sender].amount
    function set(uint256 amount) public {
        accounts[msg.sender].amount = amount;
        writes = 1;
    }

    /// The condition is the wrong way round.
    /// @notice modifies accounts[msg.sender] if frozen
    function toggle() public {
        if (!frozen) accounts[msg.sender].open = !accounts[msg.sender].open;
    }

    /// @notice modifies accounts[msg.sender]
    function setFor(address who, uint256 amount) public {
        accounts[who].amount = amount;
    }

    /// Says nothing, so it may change nothing.
    function freeze() public {
        frozen = true;
    }
}
