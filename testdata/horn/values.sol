// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Values {
    uint256 x;

    function half(uint256 n) internal pure returns (uint256) {
        return n / 2;
    }

    function third(uint256 n) internal pure returns (uint256) {
        return n / 3;
    }

    function asValue(uint256 n, bool small) public {
        require(n < 10);
        function (uint256) internal pure returns (uint256) f = small ? third : half;
        x = f(n);
    }

    function look() public view {
        assert(x < 5);
    }
}
