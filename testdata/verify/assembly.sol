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
    mapping(uint256 => uint256) map;

    function slots(uint256 v) public {
        high = 3;
        map[1] = 5;
        assembly {
            sstore(total.slot, v)
        }
        assert(total == v);
        assert(high == 3);
        uint256 r;
        assembly {
            r := sload(total.slot)
        }
        assert(r == v);
        assembly {
            sstore(map.slot, v)
            sstore(low.slot, v)
        }
        assert(total == v && map[1] == 5);
    }

    function pointers() public {
        require(list.length == 2);
        list[1] = 8;
        Pair storage p = pair;
        uint256[] storage a = list;
        p.y = 4;
        assembly {
            sstore(p.slot, 9)
            sstore(a.slot, 1)
        }
        assert(pair.x == 9 && pair.y == 4);
        assert(list.length == 1);
        list.push();
        assert(list[1] == 8);
    }

    function anywhere(uint256 slot, uint256 v) public {
        uint256[] memory a = new uint256[](2);
        a[1] = 6;
        assembly {
            sstore(slot, v)
        }
        assert(a[1] == 6);
    }

    function memoryWords(uint256 v) public pure returns (uint256 r) {
        Pair memory p = Pair(1, 2);
        uint256[] memory a = new uint256[](3);
        assembly {
            mstore(p, v)
            mstore(add(a, 64), 7)
            r := mload(add(p, 0x20))
        }
        assert(p.x == v && p.y == 2 && r == 2);
        assert(a[1] == 7 && a[0] == 0);
        assembly {
            mstore(a, 2)
            r := mload(a)
        }
        assert(a.length == 2 && r == 2 && a[1] == 7);
    }

    function scratch(uint256 v) public view returns (bytes32 h) {
        Pair memory p = Pair(1, 2);
        assembly {
            mstore(0, v)
            mstore(32, caller())
            h := keccak256(0, 64)
            let free := mload(0x40)
            mstore(add(free, 32), v)
            mstore(0x40, add(free, 64))
        }
        assert(p.x == 1);
    }

    function foreign(address code) public {
        uint256[] memory a = new uint256[](2);
        a[0] = 1;
        uint256 before = v();
        (bool ok, ) = code.delegatecall("");
        assert(a[0] == 1);
        if (!ok) assert(v() == before);
    }

    function v() internal view returns (uint256) {
        return total;
    }

    function called(address who) public {
        uint256 x = 5;
        Pair memory p = Pair(1, 2);
        assembly {
            let free := mload(0x40)
            pop(call(gas(), who, 0, free, 0, free, 32))
            x := add(x, 1)
        }
        assert(x == 6 && p.y == 2);
    }
}
