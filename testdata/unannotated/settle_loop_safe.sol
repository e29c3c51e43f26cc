// A payment settles the oldest debts first.
// needs: sum(debts) == outstanding, in the loop too
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Debts {
    uint256[] debts;
    uint256 outstanding;

    function owe(uint256 amount) external {
        require(amount > 0 && amount <= 100 && debts.length < 10);
        debts.push(amount);
        outstanding += amount;
    }

    function settle(uint256 amount) external {
        require(amount <= 1000);
        uint256 i = 0;
        while (i < debts.length && amount > 0) {
            uint256 debt = debts[i];
            if (amount < debt) {
                debts[i] = debt - amount;
                outstanding -= amount;
                break;
            }
            debts[i] = 0;
            outstanding -= debt;
            amount -= debt;
            i++;
        }
    }

    function audit() external view {
        uint256 sum = 0;
        for (uint256 i = 0; i < debts.length; i++) sum += debts[i];
        assert(sum == outstanding); // undecided
    }
}
