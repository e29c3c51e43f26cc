// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.4;

contract Data {
    bytes32 seen;
    bytes4 sig;

    function whole() public {
        bytes32 hash = keccak256(msg.data);
        seen = hash;
        sig = msg.sig;
        inner();
        assert(keccak256(msg.data) == hash);
        assert(seen == hash);
    }

    function inner() internal view {
        assert(seen == keccak256(msg.data));
        assert(sig == msg.sig);
    }

    function parts(uint256 x) public pure returns (bytes memory) {
        uint256 n = msg.data.length;
        bytes calldata rest = msg.data[4:];
        assert(rest.length == n - 4);
        if (x < rest.length) assert(rest[x] == msg.data[x + 4]);
        bytes memory copy = msg.data;
        assert(copy.length == n);
        assert(keccak256(copy) == keccak256(msg.data));
        return rest;
    }
}
