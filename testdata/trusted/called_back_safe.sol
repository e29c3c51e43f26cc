// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A helper that calls back does so where its code says, and in no other way.
contract Helper {
    function help(Pool pool, uint256 n) external {
        pool.add(n);
    }
}

contract Pool {
    uint256 public total;
    bool private busy;
    Helper private immutable helper;

    constructor() {
        helper = new Helper();
    }

    function add(uint256 n) external {
        require(busy && n < 10 && total < 1000);
        total += n;
    }

    function run() external {
        require(!busy);
        uint256 before = total;
        busy = true;
        helper.help(this, 5);
        busy = false;
        assert(total == before + 5);
    }

    function idle() external view {
        assert(!busy);
    }
}
