// Before 0.6: the function without a name takes ether and books it.
// needs: sum(paid) == booked <= address(this).balance
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
        require(amount <= paid[msg.sender]);
        paid[msg.sender] -= amount;
        booked -= amount;
        msg.sender.transfer(amount);
    }

    function audit(address who) external view {
        assert(paid[who] <= booked);
    }
}
