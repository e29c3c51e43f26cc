// A loop looks for a value and may not find it.
// breaks: deploy; add(4); remove(5)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Bag {
    uint256[] items;

    function add(uint256 item) external {
        require(items.length < 20);
        items.push(item);
    }

    function remove(uint256 item) external {
        uint256 i = 0;
        while (i < items.length && items[i] != item) i++;
        items[i] = items[items.length - 1]; // violated
        items.pop();
    }
}
