// fails: Data.whole Data.parts Data.shape
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.4;

contract Data {
    bytes32 seen;

    function whole() public {
        bytes32 hash = keccak256(msg.data);
        assert(seen != hash);
        seen = hash;
    }

    function parts(uint256 x) public pure {
        bytes calldata rest = msg.data[4:];
        if (x < rest.length) assert(rest[x] == msg.data[x]);
    }

    function shape(bytes calldata b) public pure {
        assert(msg.data.length > 200);
        assert(b.length < 200);
    }
}
