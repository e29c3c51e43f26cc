// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// An auction in phases: the winner is known when it has ended, and nothing is bid before it begins.
contract Auction {
    enum Phase { Created, Running, Ended }
    Phase phase;
    uint highest;
    address seller;
    address winner;

    constructor() {
        seller = msg.sender;
    }

    function start() public {
        require(msg.sender == seller && phase == Phase.Created);
        assert(highest == 0);
        phase = Phase.Running;
        highest = 1;
    }

    function bid(uint amount) public {
        require(phase == Phase.Running);
        require(amount > highest);
        highest = amount;
    }

    function end() public {
        require(phase == Phase.Running && msg.sender != address(0));
        phase = Phase.Ended;
        winner = msg.sender;
    }

    function claim() public view {
        require(phase == Phase.Ended);
        assert(winner != address(0));
        assert(highest > 0);
    }
}
