// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Auction {
    uint256 public best;
    uint256 public bids;

    /// @notice tracks-changes-in best
    /// @notice precondition amount > best
    /// @notice postcondition best == amount
    /// @notice postcondition before(best) < best
    event Raised(uint256 amount);

    /// @notice tracks-changes-in bids
    /// @notice allow-no-change-emit
    event Counted();

    /// @notice emits Raised
    /// @notice emits Counted
    function bid(uint256 amount) public {
        require(amount > best);
        best = amount;
        emit Raised(amount);
        emit Counted();
    }

    function reset() public {
        best = 0; // and nobody is told
    }
}
