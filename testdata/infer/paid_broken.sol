// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Little gas is enough to look at the books while they are not in order.
contract Paid {
    mapping(address => uint) shares;
    uint total;

    function buy() public payable {
        require(msg.value < 1000 && total < 1000000);
        shares[msg.sender] += msg.value; // open
        total += msg.value;
    }

    function sell() public {
        uint share = shares[msg.sender];
        total -= share; // open
        payable(msg.sender).transfer(share);
        shares[msg.sender] = 0;
    }

    function look() public view {
        assert(shares[msg.sender] <= total); // open
    }
}
