// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Calls in a loop, and a loop in what is called.
contract Adder {
    uint256 public total;

    function add(uint256 n) external returns (uint256) {
        uint256 done = 0;
        while (done < n && done < 20) {
            done++;
        }
        total = done;
        return done;
    }
}

contract User {
    function many(Adder adder, uint256 n) external {
        uint256 last = 0;
        for (uint256 i = 0; i < n; i++) {
            last = adder.add(i);
            assert(last <= 20);
            assert(adder.total() == last);
        }
    }
}
