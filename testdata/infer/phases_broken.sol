// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Bids are taken in every phase, and anybody may end the auction before it begins.
contract Auction {
    enum Phase { Created, Running, Ended }
    Phase phase;
    uint highest;

    function start() public {
        require(phase == Phase.Created);
        assert(highest == 0); // open
        phase = Phase.Running;
    }

    function bid(uint amount) public {
        require(amount > highest);
        highest = amount;
    }

    function end() public {
        phase = Phase.Ended;
    }

    function claim() public view {
        require(phase == Phase.Ended);
        assert(highest > 0); // open
    }
}
