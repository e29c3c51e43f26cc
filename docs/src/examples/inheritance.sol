// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Shelf {
    /// @notice postcondition r <= 10
    function count() external view returns (uint256 r);
}

/// @notice invariant items <= 10
contract Small is Shelf {
    uint256 internal items;

    function put() public virtual {
        require(items < 10);
        items++;
    }

    function count() public view returns (uint256 r) {
        return items;
    }
}

contract Greedy is Small {
    function put() public override {
        items++;
    }
}
