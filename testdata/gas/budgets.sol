// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Base {
    uint256 public a;
    uint256 public b;
    uint256[] items;

    /// @custom:gas <= 400_000
    constructor() {
        a = 1;
    }

    /// @custom:gas <= 23000
    function enough(uint256 x) external {
        a = x;
    }

    /// @custom:gas <= 2000
    function little(uint256 x) external {
        b = x;
    }

    /// @notice gas <= 2500*n.length + 30000
    function sum(uint256[] calldata n) external pure returns (uint256 s) {
        for (uint256 i = 0; i < n.length; i++) s += n[i];
    }

    /// @notice gas <= 500*items.length + 10_000
    function add() external view virtual returns (uint256 s) {
        for (uint256 i = 0; i < items.length; i++) s += items[i];
    }

    /// @custom:hornet gas <= 100 * (1 + rounds) + 200000
    function spin(uint256 rounds) external pure returns (uint256 s) {
        for (uint256 i = 0; i < rounds; i++) s ^= i;
    }
}

// An annotation holds for the function that it stands before, wherever that is inherited.
contract Derived is Base {
    function add() external pure override returns (uint256) {
        return 0;
    }
}
