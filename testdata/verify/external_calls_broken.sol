// fails: Trader.ask Trader.early
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Oracle {
    function price(uint256 day) external returns (uint256);
}

/// @notice invariant low <= high
contract Trader {
    Oracle oracle;
    uint256 low;
    uint256 high;

    /// The oracle can come back and change `high`.
    function ask(uint256 day) public {
        uint256 before = high;
        oracle.price(day);
        assert(high == before);
    }

    /// The oracle sees the contract with its invariant broken.
    function early(uint256 p) public {
        low = p;
        oracle.price(p);
        high = p;
    }

    function widen() public {
        if (high < type(uint256).max) high++;
    }
}
