// fails: Vault.pass Vault.take Vault.takeAll Vault.refill
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Vault {
    address owner;
    uint256 stock;

    constructor() {
        owner = msg.sender;
    }

    /// Anybody can.
    /// @notice postcondition owner == __verifier_old_address(owner) || msg.sender == __verifier_old_address(owner)
    function pass(address next) public {
        owner = next;
    }

    /// @notice precondition amount < stock
    /// @notice postcondition stock == __verifier_old_uint(stock) - amount
    /// @notice postcondition stock == 0
    function take(uint256 amount) internal {
        stock -= amount;
    }

    /// The precondition excludes the last one.
    function takeAll() public {
        take(stock);
    }

    /// @notice postcondition r == stock
    function refill(uint256 amount) public returns (uint256 r) {
        r = stock;
        stock = amount;
    }
}
