// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Ends {
    struct Item {
        uint256 x;
    }

    uint256[] a;
    uint256[] b;
    Item[] items;
    mapping(int256 => Item) byNumber;

    function encoded(string memory s, string memory t, uint256 x, uint256 y) public {
        delete a;
        a.push(1);
        b = a;
        assert(keccak256(abi.encode(a)) == keccak256(abi.encode(b)));
        if (keccak256(abi.encode(s, x)) == keccak256(abi.encode(t, y))) assert(x == y);
        b.push(1);
        assert(keccak256(abi.encode(a)) != keccak256(abi.encode(b)));
    }

    function popped() public {
        items.push(Item(5));
        Item storage last = items[items.length - 1];
        items.pop();
        assert(last.x == 0);
    }

    function negative(uint256 n) public {
        byNumber[-1].x = 1;
        Item storage item = byNumber[0];
        for (uint256 i = 0; i < n; i++) item = byNumber[-1];
        item.x = 1;
        assert(byNumber[-1].x == 1);
    }
}
