// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Called from deep inside, where not everybody follows.
contract Deep {
    uint256 x;

    function one(uint256 n) internal {
        two(n);
    }

    function two(uint256 n) internal {
        three(n);
    }

    function three(uint256 n) internal {
        descend(n);
        look();
    }

    function descend(uint256 n) internal {
        assert(n != 3); // open
        if (n > 0) descend(n - 1);
    }

    function look() public view {
        assert(x != 5); // open
    }

    function start() public {
        x = 5;
        one(3);
        x = 0;
    }
}
