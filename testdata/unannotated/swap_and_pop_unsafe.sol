// A set as an array and the position of each member in it.
// breaks: deploy; add(11); add(22); remove(11); check(22)
// breaks: deploy; add(11); add(22); remove(11); remove(22)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Set {
    uint256[] items;
    mapping(uint256 => uint256) position;
    mapping(uint256 => bool) member;

    function add(uint256 x) external {
        require(!member[x] && items.length < 1000);
        member[x] = true;
        position[x] = items.length;
        items.push(x);
    }

    function remove(uint256 x) external {
        require(member[x] && items.length > 0);
        uint256 last = items[items.length - 1];
        uint256 hole = position[x];
        items[hole] = last; // violated
        items.pop();
        member[x] = false;
    }

    function check(uint256 x) external view returns (uint256) {
        require(member[x]);
        return items[position[x]]; // violated
    }
}
