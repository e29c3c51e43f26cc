// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: fee{max}()
contract MuchEther {
    uint256 got;

    function put() public payable {
        got += msg.value;
    }

    function fee() public payable returns (uint256) {
        return msg.value + 5; // violated
    }
}
