// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// The new ABI coder refuses what does not fit, and numbers in storage are cut to their size when they are read.
contract Decoded {
    uint8[] kept;

    function elements(uint8[] memory list) public pure {
        require(list.length > 0);
        uint256 word;
        assembly {
            word := mload(add(list, 32))
        }
        assert(word < 256);
    }

    function copied(uint8[] memory list) public {
        kept = list;
        uint8[] memory again = kept;
        assert(keccak256(abi.encodePacked(list)) == keccak256(abi.encodePacked(again)));
    }
}

contract Written {
    uint8 count;
    address owner;

    function raise(uint256 any) external {
        assembly {
            sstore(count.slot, any)
        }
        uint8 read = count;
        uint256 word;
        assembly {
            word := read
        }
        assert(word < 256);
    }
}
