// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

// What happens in the middle of things, and makes no difference here.

// Nothing runs once more for the same call.
contract Single {
    function refund() external payable {
        require(msg.sender != address(this));
        payable(msg.sender).transfer(msg.value);
    }

    function need() external payable {
        require(msg.sender != address(this));
        assert(address(this).balance >= msg.value);
    }
}

// A constructor that calls nobody gives nobody the opportunity.
contract Silent {
    address payable to;

    constructor(address payable whom) {
        to = whom;
    }
}

contract Maker {
    uint256 transient mark;

    function poke() external {
        mark = 1;
    }

    function make(address payable to) external {
        mark = 0;
        new Silent(to);
        assert(mark == 0);
    }
}
