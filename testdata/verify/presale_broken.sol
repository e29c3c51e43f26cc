// fails: Presale.buy
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// The last buyer may bring exactly what is missing.
/// @notice invariant raised <= max
contract Presale {
    uint256 raised;
    uint256 max;

    constructor(uint256 max_) {
        max = max_;
    }

    function buy() public payable {
        require(msg.value <= max - raised);
        raised += msg.value;
        assert(raised < max);
    }
}
