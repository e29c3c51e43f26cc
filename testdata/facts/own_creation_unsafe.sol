// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Counter {
    uint256 public count;

    function add(uint128 n) external {
        require(n < 100);
        unchecked {
            count += n;
        }
    }
}

// breaks: make(3); keep, add by somebody, look
contract Workshop {
    Counter kept;

    function make(uint128 n) external {
        require(n < 50);
        Counter counter = new Counter();
        counter.add(n);
        assert(counter.count() == 0); // violated
    }

    function keep() external {
        kept = new Counter();
        assert(kept.count() == 0);
    }

    function look() external view {
        require(address(kept) != address(0));
        assert(kept.count() == 0); // violated
    }
}
