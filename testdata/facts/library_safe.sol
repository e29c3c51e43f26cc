// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: nothing but what the function itself makes sure of
library Shares {
    function part(uint256 all, uint256 percent) external pure returns (uint256) {
        require(percent <= 100 && all <= 1e60);
        uint256 share = all * percent / 100;
        assert(share <= all);
        return share;
    }

    function among(uint8[] calldata weights) public pure returns (uint256 sum) {
        require(weights.length > 0);
        sum = weights.length == 0 ? 0 : uint256(weights[0]) + weights[weights.length - 1];
        assert(weights[0] <= sum);
    }
}
