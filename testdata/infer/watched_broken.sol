// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Oracle {
    function price() external view returns (uint);
}

// Others are asked while the two variables differ: whoever is asked can look at them.
contract Watched {
    uint x;
    uint y;

    function both(Oracle oracle) public {
        require(x < 100);
        x += 1;
        require(oracle.price() > 0);
        y = x;
    }

    function look() public view {
        assert(x == y); // open
    }
}
