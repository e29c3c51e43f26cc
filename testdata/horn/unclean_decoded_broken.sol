// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;
pragma abicoder v1;

interface Answers {
    function small() external returns (uint8);
}

// The old ABI coder leaves bits beyond the type where it decodes into memory, and does not look at enums at all.
contract Decoded {
    enum Phase { Sale, Over }

    uint8[] kept;

    function elements(uint8[] memory list) public pure {
        require(list.length > 0);
        uint256 word;
        assembly {
            word := mload(add(list, 32))
        }
        assert(word < 256); // open
    }

    function phase(Phase given) public pure {
        uint256 word;
        assembly {
            word := given
        }
        assert(word < 2); // open
    }

    function answer(Answers other) external {
        uint8 given = other.small();
        uint256 word;
        assembly {
            word := given
        }
        assert(word < 256); // open
    }

    function copied(uint8[] memory list) public {
        kept = list;
        uint8[] memory again = kept;
        assert(keccak256(abi.encodePacked(list)) == keccak256(abi.encodePacked(again))); // open
    }
}

// What is not zero is true, and raw writes may leave any such number.
contract Written {
    enum Phase { Sale, Over }

    bool flag;
    Phase phase;

    function raise() external {
        assembly {
            sstore(flag.slot, 2)
        }
        bool read = flag;
        uint256 word;
        assembly {
            word := read
        }
        assert(word != 2); // open
    }

    function skip(uint256 value) external {
        assembly {
            sstore(phase.slot, shl(8, value))
        }
        Phase read = phase;
        uint256 word;
        assembly {
            word := read
        }
        assert(word != 5); // open
    }
}

// Parameters of constructors are decoded from memory.
contract Constructed {
    uint256 word;

    constructor(uint8 given) {
        assembly {
            sstore(word.slot, given)
        }
        assert(word < 256); // open
    }
}

// The least number divided by minus one is beyond its type, and what is negative has ones there.
contract Calculated {
    function divided(int8 a, int8 b) external pure {
        require(b != 0);
        int256 word;
        unchecked {
            int8 quotient = a / b;
            assembly {
                word := quotient
            }
        }
        assert(word < 128); // open
    }

    function masked(uint256 any, int8 mask) external pure {
        int8 result;
        int256 word;
        assembly {
            result := and(any, mask)
        }
        assembly {
            word := result
        }
        assert(word < 128); // open
    }

    function pointed(uint256 any) external view {
        function() external view pointer = this.nothing;
        assembly {
            pointer.address := any
        }
        address target = pointer.address;
        uint256 word;
        assembly {
            word := target
        }
        assert(word < 2 ** 160); // open
    }

    function nothing() external view {}
}
