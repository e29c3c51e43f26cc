// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// What was created is called by its own type.
contract Plain {
    function id() external pure returns (uint256) {
        return 1;
    }
}

contract Other {
    function id() external pure returns (uint256) {
        return 2;
    }
}

contract User {
    address[] private made;

    function make() external {
        made.push(address(new Plain()));
        made.push(address(new Other()));
        assert(Plain(made[made.length - 2]).id() == 1);
        assert(Other(made[made.length - 1]).id() == 2);
    }
}
