// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Oracle {
    function price(uint256 day) external returns (uint256);
    function fixedPrice() external view returns (uint256);
}

/// @notice invariant low <= high
contract Trader {
    Oracle oracle;
    uint256 low;
    uint256 high;
    bool busy;

    /// Whatever the oracle does, the invariant holds when it returns.
    function ask(uint256 day) public {
        uint256 p = oracle.price(day);
        assert(low <= high);
        if (p > high) high = p;
        if (p < low) low = p;
    }

    /// A view function cannot change this contract.
    function look() public {
        uint256 before = high;
        oracle.fixedPrice();
        assert(high == before);
    }

    function careful() public {
        uint256 h = high;
        try oracle.price(0) returns (uint256 p) {
            if (p > high) high = p;
        } catch {
            h = 0;
        }
        assert(h == 0 || low <= high);
    }
}
