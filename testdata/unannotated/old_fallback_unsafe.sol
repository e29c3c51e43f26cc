// Before 0.6: the function without a name takes ether and books it.
// breaks: deploy; alice: send{7}(); bob: withdraw(3); audit(bob)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.4.24;

contract OldTill {
    mapping(address => uint256) paid;
    uint256 booked;

    function() external payable {
        paid[msg.sender] += msg.value;
        booked += msg.value;
    }

    function withdraw(uint256 amount) external {
        paid[msg.sender] -= amount;
        booked -= amount;
        msg.sender.transfer(amount); // reverts
    }

    function audit(address who) external view {
        assert(paid[who] <= booked); // violated
    }
}
