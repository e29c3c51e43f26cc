// A library that changes a structure in storage.
// needs: pool.used <= pool.size
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

library Slots {
    struct Pool {
        uint256 size;
        uint256 used;
    }

    function take(Pool storage pool) internal {
        require(pool.used < pool.size);
        pool.used++;
    }

    function give(Pool storage pool) internal {
        require(pool.used > 0);
        unchecked {
            pool.used--;
        }
    }
}

contract Desks {
    using Slots for Slots.Pool;

    Slots.Pool pool;

    constructor() {
        pool.size = 20;
    }

    function take() external {
        pool.take();
    }

    function give() external {
        pool.give();
    }

    function audit() external view {
        assert(pool.used <= pool.size);
    }
}
