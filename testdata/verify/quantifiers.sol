// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant property(list) (i) list[i] > 0
/// @notice invariant forall (uint i, uint j) !(i < j && j < ups.length) || ups[i] < ups[j]
contract Lists {
    uint256[] list;
    uint256[] ups;

    function add(uint256 x) public {
        require(x > 0);
        list.push(x);
    }

    function replace(uint256 at, uint256 x) public {
        require(at < list.length && x != 0);
        list[at] = x;
    }

    function addUp(uint256 x) public {
        require(ups.length == 0 || ups[ups.length - 1] < x);
        ups.push(x);
    }

    function dropLast() public {
        require(list.length > 0);
        list.pop();
    }

    /// @notice postcondition !found || (exists (uint i) i < list.length && list[i] == x)
    function contains(uint256 x) public view returns (bool found) {
        /// @notice invariant !found
        for (uint256 i = 0; i < list.length; i++) {
            if (list[i] == x) return true;
        }
    }
}
