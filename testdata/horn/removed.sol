// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// A reference to a new element is passed on.
contract Passed {
    uint256[][] lists;

    function descend(uint256[] storage list, uint256 depth) internal {
        if (depth == 0) {
            assert(depth <= list.length);
            return;
        }
        descend(list, depth - 1);
    }

    function start() public {
        lists.push();
        uint256[] storage list = lists[lists.length - 1];
        descend(list, 1);
    }
}
