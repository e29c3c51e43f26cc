// Ether that comes without data is credited like any other.
// breaks: deploy; alice: deposit{2}(); bob: send{3}(); audit(bob)
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
        credits[msg.sender] += msg.value;
    }

    fallback() external payable {
        deposit();
    }

    function audit(address who) external view {
        assert(credits[who] <= total); // violated
    }
}
