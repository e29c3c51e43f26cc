// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: give{30}(bob, dora), where bob has 50 wei and dora has 90
contract OthersEther {
    function give(address payable a, address payable b) public payable {
        require(a != b && a != address(this) && b != address(this));
        require(a.balance == 50 && b.balance == 90 && msg.value == 30);
        a.transfer(30); // reverts
        assert(a.balance > b.balance); // violated
    }
}
