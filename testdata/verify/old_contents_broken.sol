// fails: Old.changed Old.grown Old.noted
// fails: Old.swap
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// What a reference led to is old, not the reference.
contract Old {
    struct Pair {
        uint256 left;
        uint256[] right;
    }

    Pair pair;
    mapping(uint256 => uint256) notes;

    /// @notice postcondition eq(pair, old(pair))
    function changed() public {
        pair.left = 7;
    }

    /// @notice postcondition eq(pair.right, old(pair.right))
    function grown() public {
        pair.right.push(1);
    }

    /// @notice postcondition eq(notes, old(notes))
    function noted(uint256 key) public {
        notes[key] = 1;
    }

    /// @notice postcondition eq(list, old(list))
    function swap(uint256[] memory list) public pure {
        if (list.length > 1) {
            (list[0], list[1]) = (list[1], list[0]);
        }
    }
}
