// fails: Raw.pointers Raw.pushed Raw.memoryWords Raw.foreign
// undecided: Raw.slots Raw.anywhere Raw.outside Raw.overlap Raw.stale Raw.loop Raw.hashed
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.4;

contract Raw {
    struct Pair {
        uint256 x;
        uint256 y;
    }

    uint256 total;
    uint128 low;
    uint128 high;
    Pair pair;
    uint256[] list;

    function slots(uint256 v) public {
        high = 3;
        assembly {
            sstore(low.slot, v)
        }
        assert(high == 3);
    }

    function pointers() public {
        Pair storage p = pair;
        p.x = 4;
        assembly {
            sstore(p.slot, 9)
        }
        assert(pair.x == 4);
    }

    function anywhere(uint256 slot, uint256 v) public {
        pair.y = 4;
        assembly {
            sstore(slot, v)
        }
        assert(pair.y == 4);
    }

    function pushed() public {
        require(list.length == 0);
        list.push();
        assert(list[0] == 0);
    }

    function memoryWords(uint256 v) public pure {
        Pair memory p = Pair(1, 2);
        assembly {
            mstore(p, v)
        }
        assert(p.x == 1);
    }

    function outside(uint256 i) public pure {
        uint256[] memory a = new uint256[](2);
        Pair memory p = Pair(1, 2);
        assembly {
            mstore(add(a, mul(i, 32)), 7)
        }
        assert(p.x == 1);
    }

    function overlap() public pure {
        Pair memory p = Pair(1, 2);
        Pair memory q;
        assembly {
            q := add(p, 32)
        }
        q.x = 5;
        assert(p.y == 2);
    }

    function stale() public pure {
        uint256 free;
        assembly {
            free := mload(0x40)
        }
        Pair memory p = Pair(1, 2);
        assembly {
            mstore(free, 9)
        }
        assert(p.x == 1);
    }

    function foreign(address code) public {
        total = 1;
        (bool ok, ) = code.delegatecall("");
        assert(!ok || total == 1);
    }

    /// The slot is the hash of 0: the first element of an array whose slot is 0 would be there.
    function hashed() public {
        pair.y = 4;
        assembly {
            sstore(0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563, 5)
        }
        assert(pair.y == 4);
    }

    function loop(uint256 n) public pure {
        Pair memory p = Pair(1, 2);
        for (uint256 i = 0; i < n; i++) {
            assembly {
                mstore(add(p, mul(i, 32)), 7)
            }
        }
        assert(p.x == 1);
    }
}
