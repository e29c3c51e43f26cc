// A queue kept in a mapping between two indices.
// needs: first <= last <= 1000000
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Queue {
    mapping(uint256 => uint256) items;
    uint256 first;
    uint256 last;

    function put(uint256 item) external {
        require(last < 1000000);
        items[last] = item;
        last++;
    }

    function take() external returns (uint256 item) {
        require(first < last);
        item = items[first];
        delete items[first];
        first++;
    }

    function length() external view returns (uint256) {
        return last - first;
    }
}
