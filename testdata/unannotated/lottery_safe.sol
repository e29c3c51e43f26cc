// Tickets in an array; after the prize is paid a new round begins.
// needs: drawn implies winner < players.length; pot == players.length <= address(this).balance
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Lottery {
    address payable[] players;
    uint256 pot;
    uint256 winner;
    bool drawn;

    function enter() external payable {
        require(msg.value == 1 && !drawn && players.length < 100);
        players.push(payable(msg.sender));
        pot += 1;
    }

    function draw() external {
        require(!drawn && players.length > 0);
        winner = block.number % players.length;
        drawn = true;
    }

    function claim() external {
        require(drawn);
        address payable to = players[winner];
        uint256 prize = pot;
        assert(prize == players.length);
        pot = 0;
        delete players;
        drawn = false;
        to.transfer(prize);
    }
}
