// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Oracle {
    function price() external view returns (uint);
}

// Others are asked when everything is in order.
contract Watched {
    uint x;
    uint y;

    function both(Oracle oracle) public {
        require(oracle.price() > 0);
        require(x < 100);
        x += 1;
        y = x;
    }

    function look() public view {
        assert(x == y);
    }
}
