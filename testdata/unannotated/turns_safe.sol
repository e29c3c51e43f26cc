// Two players take turns and passing is a move, so neither is ever two moves ahead.
// needs: movesA == movesB, or movesA == movesB + 1 if it is B's turn
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Turns {
    address immutable a;
    address immutable b;
    bool turnOfB;
    uint256 movesA;
    uint256 movesB;

    constructor(address first, address second) {
        require(first != second);
        a = first;
        b = second;
    }

    function move() external {
        require(movesA < 1000 && msg.sender == (turnOfB ? b : a));
        if (turnOfB) movesB++;
        else movesA++;
        turnOfB = !turnOfB;
    }

    function pass() external {
        require(movesA < 1000);
        require(msg.sender == (turnOfB ? b : a));
        if (turnOfB) movesB++;
        else movesA++;
        turnOfB = !turnOfB;
    }

    function audit() external view {
        assert(movesA == movesB || movesA == movesB + 1);
    }
}
