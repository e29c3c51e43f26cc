// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Seed {
    uint256 public grown = 1;
}

// needs: contracts that are created are not where their creator is
contract Salted {
    function both(bytes32 salt) public {
        Seed one = new Seed{salt: salt}();
        Seed two = new Seed();
        assert(address(one) != address(this) && address(two) != address(this));
    }
}
