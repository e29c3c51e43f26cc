// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Nobody has more than there is in all, since the total is the sum.
contract Token {
    mapping(address => uint) balances;
    uint total;

    constructor(uint supply) {
        balances[msg.sender] = supply;
        total = supply;
    }

    function mint(uint amount) public {
        require(amount <= type(uint).max - total);
        total += amount;
        balances[msg.sender] += amount;
    }

    function transfer(address to, uint amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }

    function burn(uint amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        total -= amount;
        assert(balances[msg.sender] <= total);
    }
}
