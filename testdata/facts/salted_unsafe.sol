// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Seed {
    uint256 public grown = 1;
}

// breaks: both(1, 2)
// Two contracts of the same code cannot be created with the same salt.
contract Salted {
    function same(bytes32 salt) public {
        new Seed{salt: salt}();
        new Seed{salt: salt}();
        assert(false); // open
    }

    function both(bytes32 salt, bytes32 other) public {
        new Seed{salt: salt}();
        new Seed{salt: other}();
        assert(salt == other); // violated
    }
}
