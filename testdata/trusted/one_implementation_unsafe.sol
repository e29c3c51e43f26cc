// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// There are two contracts that an interface can mean.
interface Scale {
    function apply_(uint256 x) external pure returns (uint256);
}

contract Double is Scale {
    function apply_(uint256 x) external pure returns (uint256) {
        require(x < 1000);
        return 2 * x;
    }
}

contract Triple is Scale {
    function apply_(uint256 x) external pure returns (uint256) {
        require(x < 1000);
        return 3 * x;
    }
}

contract User {
    function use(address scale, uint256 x) external pure {
        require(x < 1000);
        assert(Scale(scale).apply_(x) == 2 * x); // violated
    }

    function known(uint256 x) external {
        require(x < 1000);
        Scale scale = new Triple();
        assert(scale.apply_(x) == 3 * x);
    }
}
