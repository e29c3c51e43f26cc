// Nobody spends more of another's tokens than was ever allowed.
// breaks: deploy(100); owner: allow(alice, 6); alice: transferFrom(owner, bob, 4); alice: transferFrom(owner, bob, 4)
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
        spent[from][msg.sender] += amount; // reverts
        assert(spent[from][msg.sender] <= granted[from][msg.sender]); // violated
        balances[from] -= amount;
        balances[to] += amount;
    }
}
