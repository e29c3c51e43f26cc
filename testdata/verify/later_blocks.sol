// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// @notice invariant at <= block.number && block.number - at <= 256 || blockhash(at) == 0
contract Drawn {
    uint256 at;

    constructor() {
        at = block.number;
    }

    function again() public {
        at = block.number;
        assert(blockhash(at) == 0);
    }
}
