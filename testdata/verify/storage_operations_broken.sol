// fails: Storage.pushPop Storage.deletedElement Storage.deleted
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Storage {
    struct Item {
        uint256 price;
        uint256[] sizes;
    }

    uint256[] numbers;
    mapping(uint256 => Item) items;

    function pushPop(uint256 x) public {
        require(numbers.length < 1000);
        numbers.push(x);
        numbers.push(x + 1);
        numbers.pop();
        assert(numbers[numbers.length - 1] == x + 1);
    }

    function deletedElement() public {
        require(numbers.length == 3);
        delete numbers[1];
        assert(numbers.length == 2);
    }

    function deleted(uint256 one, uint256 other) public {
        items[one].price = 3;
        delete items[other];
        assert(items[one].price == 3);
    }
}
