// Before 0.8: the price of many tokens wraps, and they cost nothing.
// breaks: deploy; owner: open(); alice: buy{0}(1 << 255); audit()
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
        require(msg.value == count * PRICE);
        tokens[msg.sender] += count;
        sold += count;
    }

    function audit() external view {
        assert(sold <= address(this).balance); // violated
    }
}
