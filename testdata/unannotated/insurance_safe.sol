// Each policy reserves its cover, so that every claim can be paid.
// needs: sum(cover) == reserved <= capital <= address(this).balance
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Insurance {
    address immutable owner = msg.sender;
    uint256 capital;
    uint256 reserved;
    mapping(address => uint256) cover;

    function fund() external payable {
        capital += msg.value;
    }

    function insure(uint256 amount) external {
        require(cover[msg.sender] == 0 && amount > 0);
        require(amount <= capital - reserved);
        cover[msg.sender] = amount;
        reserved += amount;
    }

    function settle(address payable who) external {
        require(msg.sender == owner);
        uint256 amount = cover[who];
        cover[who] = 0;
        reserved -= amount;
        assert(amount <= capital);
        capital -= amount;
        who.transfer(amount);
    }
}
