// A loop looks for a value and may not find it.
// needs: in the loop: i <= items.length
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
        if (i == items.length) return;
        items[i] = items[items.length - 1];
        items.pop();
    }
}
