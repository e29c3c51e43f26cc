// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant low <= high
abstract contract Range {
    uint256 low;
    uint256 high;

    /// @notice postcondition high == to
    function raise(uint256 to) public virtual {
        require(to >= high);
        high = to;
    }

    /// @notice postcondition r <= high
    function pick() public view virtual returns (uint256 r);
}

/// @notice invariant low == 5
contract FromFive is Range {
    constructor() {
        low = 5;
        high = 10;
    }

    function pick() public view override returns (uint256 r) {
        return low;
    }
}

contract FromZero is Range {
    function raise(uint256 to) public override {
        super.raise(to);
        low = to;
    }

    /// @notice postcondition r <= high
    function pick() public view override returns (uint256 r) {
        return low + (high - low) / 2;
    }
}
