// An account is changed in a copy, which must be written back.
// breaks: deploy; alice: deposit(9); alice: withdraw(9); audit(alice)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Accounts {
    struct Account {
        uint256 balance;
        uint256 changes;
    }

    mapping(address => Account) accounts;
    uint256 total;

    function deposit(uint256 amount) external {
        require(amount <= 1000 && total <= 1000000);
        Account storage account = accounts[msg.sender];
        require(account.changes < 1000);
        account.balance += amount; // reverts
        account.changes++;
        total += amount;
    }

    function withdraw(uint256 amount) external {
        Account memory account = accounts[msg.sender];
        require(account.balance >= amount && account.changes < 1000);
        account.balance -= amount;
        account.changes++;
        total -= amount; // reverts
    }

    function audit(address who) external view {
        assert(accounts[who].balance <= total); // violated
    }
}
