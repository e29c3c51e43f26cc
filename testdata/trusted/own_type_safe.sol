// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// The contract itself, by another name.
contract Node {
    uint256 public value;

    function set(uint256 v) public {
        value = v;
    }

    function visit(uint256 v) external {
        Node me = this;
        me.set(v);
        assert(value == v);
        assert(Node(address(this)).value() == v);
    }
}
