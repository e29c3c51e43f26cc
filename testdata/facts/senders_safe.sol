// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: nobody calls from the zero address
contract Senders {
    address owner;
    uint256 level = 1;

    function lower() public {
        require(msg.sender == owner);
        level = 0;
    }

    function pass(address to) public {
        require(tx.origin == owner);
        owner = to;
    }

    function look() public view {
        assert(level == 1);
    }
}
