// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A helper that calls back changes the contract while it waits.
contract Helper {
    function help(Pool pool) external {
        pool.take();
        pool.take();
    }
}

contract Pool {
    uint256 public total = 1;
    Helper private immutable helper;

    constructor() {
        helper = new Helper();
    }

    function take() external {
        if (total > 0) total -= 1;
    }

    function put() external {
        require(total < 3);
        total += 1;
    }

    function run() external {
        uint256 before = total;
        helper.help(this);
        assert(total == before || total + 1 == before); // violated
    }
}
