// Ether that came with the deployment is spent bit by bit.
// breaks: deploy{10}(); owner: plan(6); owner: plan(6); owner: spend(10); owner: spend(2)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Endowment {
    address payable immutable owner;
    uint256 immutable endowment;
    uint256 planned;
    uint256 spent;

    constructor() payable {
        owner = payable(msg.sender);
        endowment = msg.value;
    }

    function plan(uint256 amount) external {
        require(msg.sender == owner && amount > 0);
        require(amount <= endowment - spent); // reverts
        planned += amount; // reverts
    }

    function spend(uint256 amount) external {
        require(msg.sender == owner && amount <= planned);
        planned -= amount;
        spent += amount; // reverts
        assert(spent <= endowment); // violated
        owner.transfer(amount); // reverts
    }
}
