// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Small {
    uint256 public x;
}

// Every contract has code, but not much of it.
contract Codes {
    function look() external pure {
        assert(type(Small).creationCode.length > 20000); // violated
        assert(type(Small).runtimeCode.length > 20000); // violated
    }
}
