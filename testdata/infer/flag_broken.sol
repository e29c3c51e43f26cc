// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// The price may be changed to nothing after the sale was closed.
contract Sale {
    bool closed;
    uint price;

    function close(uint p) public {
        require(!closed);
        require(p > 0);
        price = p;
        closed = true;
    }

    function change(uint p) public {
        price = p;
    }

    function share(uint amount) public view returns (uint) {
        require(closed);
        assert(price > 0); // open
        return amount / price; // open
    }
}
