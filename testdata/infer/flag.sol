// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A flag that is never taken back, and what holds from then on.
contract Sale {
    bool closed;
    uint price;
    address owner;

    constructor() {
        owner = msg.sender;
    }

    function close(uint p) public {
        require(msg.sender == owner && !closed);
        require(p > 0);
        price = p;
        closed = true;
    }

    function share(uint amount) public view returns (uint) {
        require(closed);
        assert(price > 0);
        return amount / price;
    }
}
