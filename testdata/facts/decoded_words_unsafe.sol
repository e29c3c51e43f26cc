// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: read(abi.encode(1, 2, false))
contract DecodedWords {
    function read(bytes memory data) public pure {
        (uint256 a, uint256 b) = abi.decode(data, (uint256, uint256));
        (uint256 c, uint128 d, bool e) = abi.decode(data, (uint256, uint128, bool));
        assert(a == c);
        assert(b == c); // violated
        assert(d < 2 ** 127); // violated
        assert(e); // violated
    }
}
