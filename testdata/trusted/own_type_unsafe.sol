// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Another contract of the same type may be the contract itself.
contract Node {
    uint256 public value;

    function set(uint256 v) public {
        value = v;
    }

    function visit(Node other) external {
        require(value == 0);
        other.set(1);
        assert(value == 0); // violated
    }
}
