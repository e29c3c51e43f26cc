// One of two accounts is chosen by reference.
// breaks: deploy; pay(true, 5); pay(false, 4); shift(true, 3); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract TwoAccounts {
    struct Account {
        uint256 balance;
        uint256 uses;
    }

    Account main;
    Account spare;
    uint256 total;

    function pay(bool first, uint256 amount) external {
        require(amount <= 1000 && total <= 1000000);
        Account storage account = first ? main : spare;
        account.balance += amount;
        total += amount;
    }

    function shift(bool forth, uint256 amount) external {
        Account storage from = forth ? main : spare;
        Account memory to = forth ? spare : main;
        require(amount <= from.balance && from.uses < 1000);
        from.uses++;
        from.balance -= amount;
        to.balance += amount;
    }

    function audit() external view {
        assert(main.balance + spare.balance == total); // violated
    }
}
