// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Vault {
    address owner;
    uint256 stock;

    constructor() {
        owner = msg.sender;
    }

    /// @notice postcondition owner == __verifier_old_address(owner) || msg.sender == __verifier_old_address(owner)
    function pass(address next) public {
        if (msg.sender == owner) owner = next;
    }

    /// @notice precondition amount <= stock
    /// @notice postcondition stock == __verifier_old_uint(stock) - amount
    /// @notice postcondition left == stock
    function take(uint256 amount) internal returns (uint256 left) {
        stock -= amount;
        return stock;
    }

    /// @notice postcondition left <= __verifier_old_uint(stock)
    function takeHalf() public returns (uint256 left) {
        uint256 before = stock;
        left = take(before / 2);
        assert(left == before - before / 2);
    }

    /// @notice postcondition b >= a || !swapped
    function sorted(uint256 x, uint256 y) public pure returns (uint256 a, uint256 b, bool swapped) {
        swapped = x > y;
        return swapped ? (y, x, true) : (x, y, false);
    }
}
