// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A contract that was just created is as its constructor left it, and changes as it is told.
contract Counter {
    uint256 public count;
    address public immutable maker;

    constructor(uint256 start) {
        count = start;
        maker = msg.sender;
    }

    function add(uint256 n) external {
        require(n < 100);
        count += n; // reverts
    }
}

contract Factory {
    function make(uint256 n) external {
        require(n < 50);
        Counter first = new Counter(7);
        Counter second = new Counter(n);
        assert(first != second);
        assert(address(first) != address(this));
        first.add(n);
        assert(first.count() == 7 + n);
        assert(second.count() == n);
        assert(second.maker() == address(this));
    }
}
