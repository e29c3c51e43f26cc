// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// What assembly sees of variables that are narrower than a word, where nothing is beyond their type.
contract Unclean {
    function given(uint8 number, address account) public pure {
        uint256 word;
        assembly {
            word := number
        }
        assert(word == number);
        assembly {
            word := account
        }
        assert(word < 2 ** 160);
    }

    function assigned(address account, bytes memory data) public {
        bool ok;
        uint8 first;
        uint256 word;
        assembly {
            ok := call(gas(), account, 0, 0, 0, 0, 0)
            first := byte(0, mload(add(data, 32)))
            word := add(ok, first)
        }
        assert(word <= 256);
    }

    function cleaned(uint256 word) public pure {
        uint16 half;
        assembly {
            half := word
        }
        assert(uint256(half) < 2 ** 16);
        assembly {
            word := and(half, 0xffff)
        }
        assert(word == half);
    }
}
