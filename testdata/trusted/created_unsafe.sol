// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Once it is there, anybody can call it.
contract Counter {
    uint256 public count;

    constructor(uint256 start) {
        count = start;
    }

    function add(uint256 n) external {
        require(n < 100);
        count += n; // reverts
    }
}

contract Factory {
    Counter counter;

    constructor() {
        counter = new Counter(7);
        assert(counter.count() == 7);
    }

    function look() external view {
        assert(counter.count() == 7); // violated
    }
}
