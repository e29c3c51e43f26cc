// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A contract that was created creates another one.
contract Inner {
    uint256 public x;
    address private immutable owner = msg.sender;

    function set(uint256 v) external {
        require(msg.sender == owner);
        x = v;
    }
}

contract Outer {
    Inner private inner;

    constructor() {
        inner = new Inner();
        inner.set(1);
    }

    function set(uint256 v) external {
        inner.set(v);
    }

    function get() external view returns (uint256) {
        return inner.x();
    }
}

contract User {
    function make(uint256 v) external {
        Outer outer = new Outer();
        assert(outer.get() == 1);
        outer.set(v);
        assert(outer.get() == v);
    }
}
