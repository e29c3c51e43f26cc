// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A contract that was created is what it was created as, whatever the type of the variable that holds it.
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
    function make() external {
        Base plain = new Base();
        Base special = new Heir();
        assert(plain.id() == 1);
        assert(special.id() == 2);
        assert(Base(address(special)).id() == 2);
    }
}
