// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// One that `transfer` can pay, and one that it cannot.
contract Light {
    event Paid(address who);

    receive() external payable {
        emit Paid(msg.sender);
    }
}

contract Heavy {
    mapping(address => uint256) public balances;

    fallback() external payable {
        balances[msg.sender] += msg.value;
    }
}
