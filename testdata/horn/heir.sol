// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Nobody ends it.
contract Heir {
    uint256 got;

    function put() public payable {
        got += msg.value;
    }

    function look() public view {
        assert(address(this).balance >= got);
    }
}
