// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.4;

contract Decoder {
    function same(bytes memory data) public pure {
        (uint256 x, address y) = abi.decode(data, (uint256, address));
        (uint256 z, address w) = abi.decode(data, (uint256, address));
        assert(x == z);
        assert(y == w);
    }
}
