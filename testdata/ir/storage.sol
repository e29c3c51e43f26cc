// Places: structs, mappings, nested arrays, bytes; copies between storage and memory; push, pop, delete.
pragma solidity ^0.8.0;

contract Storage {
    struct Item {
        address owner;
        uint96 price;
        bytes data;
    }

    mapping(address => Item[]) items;
    uint32[2][] grid;
    Item last;

    function add(uint96 price, bytes calldata data) external {
        items[msg.sender].push(Item(msg.sender, price, data));
        last = items[msg.sender][0];
    }

    function drop() external {
        items[msg.sender].pop();
        delete last;
    }

    function edit(uint256 i, uint256 j, uint32 v) external returns (uint256) {
        grid[i][j] = v;
        Item storage item = last;
        item.price++;
        Item memory copy = item;
        copy.data = "x";
        return copy.data.length + item.data.length;
    }
}
