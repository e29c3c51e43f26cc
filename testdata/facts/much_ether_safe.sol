// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: ether that is there was counted before, and no account has 2^256 wei
contract MuchEther {
    uint256 got;

    function put() public payable {
        got += msg.value;
        assert(got <= address(this).balance);
    }

    function fee() public payable returns (uint256) {
        require(msg.value < 2 ** 128);
        return msg.value + 5;
    }
}
