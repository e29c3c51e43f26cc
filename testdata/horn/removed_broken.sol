// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// A reference to an element that was removed is passed on.
contract Removed {
    uint256[][] lists;

    function descend(uint256[] storage list, uint256 depth) internal {
        if (depth == 0) {
            assert(depth > list.length); // open
            return;
        }
        descend(list, depth - 1);
    }

    function start() public {
        lists.push();
        uint256[] storage list = lists[lists.length - 1];
        lists.pop();
        descend(list, 1);
    }
}
