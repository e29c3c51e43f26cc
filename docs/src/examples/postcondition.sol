// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Purse {
    uint256 public coins;

    /// @notice postcondition coins == old(coins) + n
    /// @notice postcondition had == old(coins)
    function put(uint256 n) public returns (uint256 had) {
        require(n < 1000 && coins < 1000);
        had = coins;
        coins += n;
    }

    /// @notice postcondition coins <= old(coins)
    function swap(uint256 n) public {
        coins = n;
    }
}
