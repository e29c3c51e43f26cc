// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Old {
    struct Pair {
        uint256 left;
        uint256[] right;
    }

    Pair pair;
    mapping(uint256 => uint256) notes;

    /// @notice postcondition eq(pair, old(pair))
    /// @notice postcondition eq(notes, old(notes))
    function nothing() public {
        pair.left = pair.left;
    }

    /// @notice postcondition eq(pair.right, old(pair.right))
    function left() public {
        pair.left = 1;
    }

    /// @notice postcondition eq(list, old(list))
    function swapTwice(uint256[] memory list) public pure {
        if (list.length > 1) {
            (list[0], list[1]) = (list[1], list[0]);
            (list[0], list[1]) = (list[1], list[0]);
        }
    }
}
