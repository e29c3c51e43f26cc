// A step that only the contract itself may call, from outside.
// breaks: deploy; alice: claim(); bob: credit(bob, 50); audit(bob)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract SelfCall {
    mapping(address => bool) claimed;
    mapping(address => uint256) points;
    uint256 claims;

    function claim() external {
        require(!claimed[msg.sender] && claims < 1000);
        claimed[msg.sender] = true;
        claims++;
        this.credit(msg.sender, 10);
    }

    function credit(address to, uint256 amount) external {
        points[to] = amount;
    }

    function audit(address who) external view {
        assert(points[who] <= 10); // violated
    }
}
