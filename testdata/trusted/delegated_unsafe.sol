// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Delegated to, another contract works on the storage of the caller.
contract Code {
    uint256 public value;

    function set(uint256 v) external {
        value = v;
    }
}

contract Shell {
    uint256 private value;

    function use(Code code) external {
        (bool ok, ) = address(code).delegatecall(abi.encodeCall(Code.set, (5)));
        require(ok);
        assert(value == 0); // open
    }
}
