// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: part(1, 101)
// breaks: among([0])
// Anybody can call what only looks, without a contract that names the library.
library Shares {
    function part(uint256 all, uint256 percent) external pure returns (uint256) {
        require(all <= 1e60);
        uint256 share = all * percent / 100; // reverts
        assert(share <= all); // violated
        return share;
    }

    function among(uint8[] calldata weights) public pure returns (uint256 sum) {
        sum = weights.length == 0 ? 0 : uint256(weights[0]) + weights[weights.length - 1];
        assert(sum > 0); // violated
    }
}
