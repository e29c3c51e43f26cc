// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Piggy {
    mapping(address => uint256) public saved;
    uint256 public total;

    function save() external payable {
        saved[msg.sender] += msg.value;
        total += msg.value;
    }

    function take(uint256 amount) external {
        require(saved[msg.sender] >= amount, "not yours");
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not taken");
        saved[msg.sender] -= amount;
        total -= amount;
    }

    /// Others rely on this.
    function solvent() external view {
        assert(address(this).balance >= total);
    }
}
