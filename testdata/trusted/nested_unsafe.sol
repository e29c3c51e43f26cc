// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Whoever can change what is behind another contract changes what it says.
contract Inner {
    uint256 public x;

    function set(uint256 v) external {
        x = v;
    }
}

contract Outer {
    Inner private inner;

    constructor() {
        inner = new Inner();
        inner.set(1);
        assert(inner.x() == 1);
    }

    function get() external view returns (uint256) {
        return inner.x();
    }
}

contract User {
    Outer private outer;

    constructor() {
        outer = new Outer();
        assert(outer.get() == 1);
    }

    function look() external view {
        assert(outer.get() == 1); // violated
    }
}
