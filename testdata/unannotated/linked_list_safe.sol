// A ring of links through a sentinel; what a member points back to is a member.
// needs: for every member: next[previous[m]] == m == previous[next[m]], and both neighbours are members or the sentinel
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Members {
    mapping(uint256 => uint256) next;
    mapping(uint256 => uint256) previous;
    mapping(uint256 => bool) member;

    function insert(uint256 id) external {
        require(id != 0 && !member[id]);
        uint256 old = next[0];
        next[id] = old;
        previous[id] = 0;
        previous[old] = id;
        next[0] = id;
        member[id] = true;
    }

    function remove(uint256 id) external {
        require(id != 0 && member[id]);
        next[previous[id]] = next[id];
        previous[next[id]] = previous[id];
        member[id] = false;
    }

    function inspect(uint256 id) external view {
        require(id != 0 && member[id]);
        uint256 before = previous[id];
        assert(before == 0 || member[before]); // undecided
    }
}
