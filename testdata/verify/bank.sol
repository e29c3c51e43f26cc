// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// The books are right before anybody else gets to run.
/// @notice invariant total == __verifier_sum_uint(balances)
contract Bank {
    mapping(address => uint256) balances;
    uint256 total;

    function deposit() public payable {
        require(msg.value <= type(uint256).max - total);
        balances[msg.sender] += msg.value;
        total += msg.value;
    }

    function move(address to, uint256 amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }

    function withdraw(uint256 amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        total -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
    }
}
