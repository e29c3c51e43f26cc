// Ether that comes without data is credited like any other.
// needs: sum(credits) == total <= address(this).balance
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Till {
    mapping(address => uint256) credits;
    uint256 total;

    function deposit() public payable {
        credits[msg.sender] += msg.value;
        total += msg.value;
    }

    receive() external payable {
        deposit();
    }

    fallback() external payable {
        deposit();
    }

    function audit(address who) external view {
        assert(credits[who] <= total);
    }
}
