// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A contract of some type may be one that inherits from it.
contract Base {
    function id() public pure virtual returns (uint256) {
        return 1;
    }
}

contract Heir is Base {
    function id() public pure override returns (uint256) {
        return 2;
    }
}

contract User {
    function look(Base base) external pure {
        assert(base.id() == 1); // violated
    }
}
