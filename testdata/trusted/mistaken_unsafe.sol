// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// What was created is not what it is called by.
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

    function make(uint256 i) external {
        made.push(address(new Plain()));
        made.push(address(new Other()));
        require(i < 2 && made.length == 2);
        assert(Plain(made[i]).id() == 1); // violated
    }
}
