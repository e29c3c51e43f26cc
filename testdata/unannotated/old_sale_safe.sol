// Before 0.8: the price of many tokens wraps, and they cost nothing.
// needs: 4 * sold <= address(this).balance
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.6.0;

contract OldSale {
    uint256 constant PRICE = 4;
    address owner = msg.sender;
    bool opened;
    mapping(address => uint256) tokens;
    uint256 sold;

    function open() external {
        require(msg.sender == owner);
        opened = true;
    }

    function buy(uint256 count) external payable {
        require(opened);
        require(count <= 1000 && sold <= 1000000);
        require(msg.value == count * PRICE);
        tokens[msg.sender] += count;
        sold += count;
    }

    function audit() external view {
        assert(sold <= address(this).balance);
    }
}
