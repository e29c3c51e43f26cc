// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// The total forgets what was minted.
contract Token {
    mapping(address => uint) balances;
    uint total;

    constructor(uint supply) {
        balances[msg.sender] = supply;
        total = supply;
    }

    function mint(uint amount) public {
        balances[msg.sender] += amount; // open
    }

    function burn(uint amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        total -= amount; // open
        assert(balances[msg.sender] <= total); // open
    }
}
