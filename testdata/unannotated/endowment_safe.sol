// Ether that came with the deployment is spent bit by bit.
// needs: spent + planned <= endowment; endowment - spent <= address(this).balance
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
        require(amount <= endowment - spent - planned);
        planned += amount;
    }

    function spend(uint256 amount) external {
        require(msg.sender == owner && amount <= planned);
        planned -= amount;
        spent += amount;
        assert(spent <= endowment);
        owner.transfer(amount);
    }
}
