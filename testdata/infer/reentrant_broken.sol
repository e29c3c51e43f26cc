// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Others get control while the books are not in order.
contract Purse {
    mapping(address => uint) balances;
    uint total;

    function put(uint amount) public {
        balances[msg.sender] += amount; // open
        total += amount; // open
    }

    function take() public {
        uint amount = balances[msg.sender];
        total -= amount; // open
        (bool ok, ) = msg.sender.call("");
        require(ok);
        balances[msg.sender] = 0;
    }

    function look() public view {
        assert(balances[msg.sender] <= total); // open
    }
}
