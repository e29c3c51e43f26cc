// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Counters and numbers that go in step with them.
contract Loops {
    function steps(uint n) public pure {
        require(n < 1000);
        uint sum = 0;
        uint i = 0;
        while (i < n) {
            sum += 3;
            i += 1;
        }
        assert(i == n);
        assert(sum == 3 * n);
    }

    function count(uint[] memory values) public pure returns (uint found) {
        for (uint i = 0; i < values.length; i++) {
            if (values[i] > 7) {
                found++;
            }
        }
        assert(found <= values.length);
    }
}
