// fails: Decoder.other Decoder.places
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.4;

contract Decoder {
    function other(bytes memory data, bytes memory more) public pure {
        (uint256 x, ) = abi.decode(data, (uint256, address));
        (uint256 z, ) = abi.decode(more, (uint256, address));
        assert(x == z);
    }

    function places(bytes memory data) public pure {
        (uint256 x, uint256 y) = abi.decode(data, (uint256, uint256));
        assert(x == y);
    }
}
