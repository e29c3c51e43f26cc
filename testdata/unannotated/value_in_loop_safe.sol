// Tickets are paid one by one, so the value of the message counts once for each.
// needs: 5 * sold <= address(this).balance
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Tickets {
    uint256 constant PRICE = 5;
    mapping(address => uint256) tickets;
    uint256 sold;

    function buy(uint256 count) external payable {
        require(count > 0 && count <= 10 && sold <= 1000000);
        require(msg.value >= PRICE * count);
        for (uint256 i = 0; i < count; i++) {
            tickets[msg.sender]++;
            sold++;
        }
    }

    function audit() external view {
        assert(address(this).balance >= PRICE * sold);
    }
}
