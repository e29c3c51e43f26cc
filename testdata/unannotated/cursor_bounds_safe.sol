// A cursor into an array that can become shorter.
// needs: cursor < items.length or items.length == 0
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Playlist {
    uint256[] items;
    uint256 cursor;

    function append(uint256 item) external {
        require(items.length < 1000);
        items.push(item);
    }

    function advance() external {
        require(items.length > 0 && cursor < items.length - 1);
        cursor++;
    }

    function drop() external {
        require(items.length > 0);
        items.pop();
        if (cursor >= items.length) cursor = 0;
    }

    function current() external view returns (uint256) {
        require(items.length > 0);
        return items[cursor];
    }
}
