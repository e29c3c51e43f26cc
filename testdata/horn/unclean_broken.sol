// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Values are cleaned when they are used, not when they are made: assembly sees what is beyond their type.
contract Unclean {
    function assigned(uint256 word) public pure {
        uint8 number;
        bool flag;
        assembly {
            number := word
            flag := word
        }
        assembly {
            word := number
        }
        assert(word < 256); // open
        assembly {
            word := flag
        }
        assert(word < 2); // open
    }

    function wrapped(int16 number) public pure {
        unchecked {
            number++;
        }
        uint256 word;
        assembly {
            word := number
        }
        assert(word < 2 ** 15 || word >= 2 ** 255); // open
    }

    function cut(bytes4 four, uint256 number) public pure {
        bytes2 two = bytes2(four);
        address account = address(uint160(number));
        uint256 word;
        assembly {
            word := two
        }
        assert(uint240(word) == 0); // open
        assembly {
            word := account
        }
        assert(word < 2 ** 160); // open
    }

    function stored(uint256 word) public pure {
        uint32[1] memory numbers;
        assembly {
            mstore(numbers, word)
        }
        uint32 number = numbers[0];
        assembly {
            word := number
        }
        assert(word < 2 ** 32); // open
    }
}
