// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Two arrays and a counter in step; only the larger values are kept.
contract Ledger {
    address[] who;
    uint[] amounts;
    uint count;

    function add(uint amount) public {
        require(amount >= 5);
        who.push(msg.sender);
        amounts.push(amount);
        count += 1;
    }

    function at(uint i) public view returns (address, uint) {
        require(i < count);
        assert(amounts[i] >= 5);
        return (who[i], amounts[i]);
    }
}
