// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// There is one contract that an interface can mean.
interface Scale {
    function apply_(uint256 x) external pure returns (uint256);
}

contract Double is Scale {
    function apply_(uint256 x) external pure returns (uint256) {
        require(x < 1000);
        return 2 * x;
    }
}

contract User {
    function use(address scale, uint256 x) external pure {
        assert(Scale(scale).apply_(x) == 2 * x); // reverts
    }
}
