// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Storage {
    struct Item {
        uint256 price;
        uint256[] sizes;
        mapping(uint256 => bool) tags;
    }

    uint256[] numbers;
    mapping(uint256 => Item) items;

    function pushPop(uint256 x) public {
        uint256 before = numbers.length;
        require(before < 1000);
        numbers.push(x);
        assert(numbers.length == before + 1 && numbers[before] == x);
        numbers.pop();
        assert(numbers.length == before);
    }

    function popped(uint256 x) public {
        require(numbers.length == 0);
        numbers.push(x);
        numbers.pop();
        numbers.push();
        assert(numbers[0] == 0);
    }

    function deleted(uint256 id, uint256 tag) public {
        bool tagged = items[id].tags[tag];
        items[id].price = 3;
        delete items[id].price;
        delete items[id].sizes;
        assert(items[id].price == 0 && items[id].sizes.length == 0);
        assert(items[id].tags[tag] == tagged);
    }

    function deletedElement() public {
        require(numbers.length == 3);
        delete numbers[1];
        assert(numbers.length == 3 && numbers[1] == 0);
        delete numbers;
        assert(numbers.length == 0);
    }
}
