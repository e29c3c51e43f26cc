// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Bank {
    mapping(address => uint256) balances;
    uint256 total;

    function deposit() public payable {
        balances[msg.sender] += msg.value;
        total += msg.value;
    }

    function withdraw() public {
        uint256 amount = balances[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        balances[msg.sender] = 0;
        total -= amount;
    }

    function audit() public view {
        assert(address(this).balance >= total);
    }
}
