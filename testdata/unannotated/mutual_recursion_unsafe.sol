// Even and odd call each other, and the number of calls is known beforehand.
// breaks: deploy; setDepth(3); count(); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Parity {
    uint256 depth;
    uint256 calls;
    bool counted;

    function setDepth(uint256 n) external {
        require(n <= 20);
        depth = n;
        counted = false;
    }

    function even(uint256 n) internal {
        calls++;
        if (n > 0) odd(n - 1);
    }

    function odd(uint256 n) internal {
        if (n > 0) calls++;
        even(n);
    }

    function count() external {
        calls = 0;
        even(depth);
        counted = true;
    }

    function audit() external view {
        require(counted);
        assert(calls == 2 * depth + 1); // violated
    }
}
