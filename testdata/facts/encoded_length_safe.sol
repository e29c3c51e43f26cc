// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: how long encodings are
contract EncodedLength {
    struct Order {
        uint256 id;
        bytes note;
        uint8[] parts;
    }

    function plain(uint256 x, uint8[3] memory y) public pure {
        assert(abi.encode(x, y).length == 128);
        assert(abi.encodeWithSelector(this.plain.selector, x, y).length == 132);
        assert(keccak256(abi.encode(x, x)) == keccak256(abi.encodePacked(x, x)));
    }

    function packed(address a, uint16 b, bool c, bytes3 d, uint8[] memory e) public pure {
        assert(abi.encodePacked(a, b, c, d).length == 26);
        assert(abi.encodePacked(b, e).length == 2 + 32 * e.length);
    }

    function dynamic(bytes memory x, uint256[] memory y) public pure {
        uint256 padded = (x.length + 31) / 32 * 32;
        assert(abi.encode(x).length == 64 + padded);
        assert(abi.encode(x, y).length == 128 + padded + 32 * y.length);
        assert(abi.encode(x, y).length % 32 == 0);
    }

    function nested(Order memory o) public pure {
        assert(abi.encode(o).length >= 32 * (6 + o.parts.length) + o.note.length);
    }
}
