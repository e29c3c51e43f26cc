// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// References to elements that are still there.
contract Dangling {
    struct Item {
        uint256 x;
    }

    Item[] items;

    function kept() public {
        require(items.length == 2);
        Item storage item = items[0];
        items.pop();
        item.x = 7;
        items.push();
        assert(items[0].x == 7 && items[1].x == 0);
    }

    /// @notice postcondition item.x == to
    function set(Item storage item, uint256 to) internal {
        item.x = to;
    }

    function outer(uint256 i, bool first) public {
        require(items.length > 3 && i < items.length);
        Item storage item = first ? items[0] : items[i];
        set(item, 5);
        assert(item.x == 5);
    }
}
