// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A contract has no code before its constructor ends; but ether that it has not got cannot be sent to it either.
contract Eager {
    uint256 calls;

    constructor() {
        (bool ok, ) = address(this).call{value: 1}("");
        assert(ok); // violated
    }

    function count() external returns (uint256) {
        calls = 1;
        return calls;
    }

    function again() external {
        (bool ok, bytes memory answer) = address(this).call(abi.encodeWithSignature("count()"));
        assert(!ok || answer.length == 0); // violated
    }
}
