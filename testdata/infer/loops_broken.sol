// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// The counter skips, so it does not end where the bound is.
contract Loops {
    function steps(uint n) public pure {
        require(n < 1000);
        uint sum = 0;
        uint i = 0;
        while (i < n) {
            sum += 3; // open
            i += 2;
        }
        assert(i == n); // open
        assert(sum == 3 * n); // open
    }
}
