// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Called, another contract works on its own storage.
contract Code {
    uint256 public value;

    function set(uint256 v) external {
        value = v;
    }
}

contract Shell {
    uint256 private value;

    function use(Code code) external {
        code.set(5);
        assert(value == 0);
        assert(code.value() == 5);
    }
}
