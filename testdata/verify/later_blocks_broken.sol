// fails: Drawn.[constructor] Carried.[constructor]
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// After 256 blocks the hash is gone.
/// @notice invariant block.number <= at || hash == blockhash(at)
contract Drawn {
    uint256 at;
    bytes32 hash;

    constructor() {
        require(block.number > 0);
        at = block.number - 1;
        hash = blockhash(at);
    }
}

/// Each transaction has its own blobs.
/// @notice invariant hash == blobhash(0)
contract Carried {
    bytes32 hash;

    constructor() {
        hash = blobhash(0);
    }
}
