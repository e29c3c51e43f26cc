// Nobody spends more of another's tokens than was ever allowed.
// needs: for every o and s: allowance[o][s] + spent[o][s] == granted[o][s]; sum(balances) == supply
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Token {
    uint256 public immutable supply;
    mapping(address => uint256) balances;
    mapping(address => mapping(address => uint256)) allowance;
    mapping(address => mapping(address => uint256)) granted;
    mapping(address => mapping(address => uint256)) spent;

    constructor(uint256 amount) {
        supply = amount;
        balances[msg.sender] = amount;
    }

    function allow(address spender, uint256 more) external {
        require(more <= 1000 && granted[msg.sender][spender] <= 1000);
        granted[msg.sender][spender] += more;
        allowance[msg.sender][spender] += more;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        require(allowance[from][msg.sender] >= amount);
        require(balances[from] >= amount);
        allowance[from][msg.sender] -= amount;
        spent[from][msg.sender] += amount;
        assert(spent[from][msg.sender] <= granted[from][msg.sender]);
        balances[from] -= amount;
        balances[to] += amount;
    }
}
