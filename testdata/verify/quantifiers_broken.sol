// fails: Lists.add Lists.replace Lists.addUp
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant property(list) (i) list[i] > 0
/// @notice invariant forall (uint i, uint j) !(i < j && j < ups.length) || ups[i] < ups[j]
contract Lists {
    uint256[] list;
    uint256[] ups;

    function add(uint256 x) public {
        list.push(x);
    }

    function replace(uint256 at, uint256 x) public {
        require(at < list.length);
        list[at] = x;
    }

    function addUp(uint256 x) public {
        require(ups.length == 0 || ups[ups.length - 1] <= x);
        ups.push(x);
    }

    function dropLast() public {
        require(list.length > 0);
        list.pop();
    }
}
