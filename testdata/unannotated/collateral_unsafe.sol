// Collateral may be taken out as long as what is left covers the debt.
// breaks: deploy; alice: lock(100); alice: borrow(50); alice: unlock(60); audit(alice)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Collateral {
    mapping(address => uint256) collateral;
    mapping(address => uint256) debt;

    function lock(uint256 amount) external {
        require(amount <= 1000 && collateral[msg.sender] <= 1000000);
        collateral[msg.sender] += amount;
    }

    function borrow(uint256 amount) external {
        require(amount <= 1000000);
        require(2 * (debt[msg.sender] + amount) <= collateral[msg.sender]);
        debt[msg.sender] += amount;
    }

    function repay(uint256 amount) external {
        require(amount <= debt[msg.sender]);
        debt[msg.sender] -= amount;
    }

    function unlock(uint256 amount) external {
        require(amount <= collateral[msg.sender]);
        require(collateral[msg.sender] >= 2 * debt[msg.sender]);
        collateral[msg.sender] -= amount;
    }

    function audit(address who) external view {
        assert(collateral[who] >= 2 * debt[who]); // violated
    }
}
