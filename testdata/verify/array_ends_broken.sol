// fails: Ends.encoded Ends.popped Ends.cleared Ends.negative
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// What is beyond the end of an array, and keys below zero.
contract Ends {
    struct Item {
        uint256 x;
    }

    uint256[] a;
    uint256[] b;
    Item[] items;
    mapping(int256 => Item) byNumber;

    function encoded() public {
        delete a;
        delete b;
        a.push(1);
        b.push(1);
        b.push(2);
        b.pop();
        assert(keccak256(abi.encode(a)) != keccak256(abi.encode(b)));
    }

    function popped() public {
        items.push(Item(5));
        Item storage last = items[items.length - 1];
        items.pop();
        assert(last.x == 5);
    }

    function cleared() public {
        items.push(Item(5));
        Item storage last = items[items.length - 1];
        delete items;
        assert(last.x == 5);
    }

    function negative(uint256 n) public {
        delete byNumber[-1];
        Item storage item = byNumber[0];
        for (uint256 i = 0; i < n; i++) item = byNumber[-1];
        item.x = 1;
        assert(byNumber[-1].x == 0);
    }
}
