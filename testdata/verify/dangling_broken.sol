// undecided: Dangling.reused
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// What is written through a reference to a removed element is found by whoever adds one: nothing is claimed about it.
contract Dangling {
    struct Item {
        uint256 x;
    }

    Item[] items;

    function reused() public {
        require(items.length == 1);
        Item storage item = items[0];
        items.pop();
        item.x = 7;
        items.push();
        assert(items[0].x == 0);
    }
}
