// fails: User.Numbers.two
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

import "./imported/Numbers.sol";

// What a call relies on is verified wherever it is written.
contract User {
    function f() public pure {
        assert(Numbers.two() == 2);
    }
}
