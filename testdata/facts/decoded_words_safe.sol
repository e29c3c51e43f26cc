// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: values stand at fixed places in the data
contract DecodedWords {
    function read(bytes memory data) public pure {
        (uint256 a, uint256 b) = abi.decode(data, (uint256, uint256));
        (uint256 c, uint128 d, bool e) = abi.decode(data, (uint256, uint128, bool));
        assert(a == c);
        assert(b == d);
        assert(b < 2 ** 128);
        assert(e || !e);
    }
}
