// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// One array is cleared on its own.
contract Ledger {
    address[] who;
    uint[] amounts;

    function add(uint amount) public {
        who.push(msg.sender);
        amounts.push(amount);
    }

    function clear() public {
        delete amounts;
    }

    function at(uint i) public view returns (address, uint) {
        require(i < who.length);
        return (who[i], amounts[i]); // open
    }
}
