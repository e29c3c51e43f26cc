// Writes to storage of more than one slot. Short strings are in the slot of their length.
pragma solidity ^0.8.0;

contract Stored {
    string name;
    uint256[] numbers;
    uint256[2] pair;
    uint32[] packed;

    function rename(string calldata to) external {
        require(bytes(to).length < 32 && bytes(name).length < 32);
        name = to;
    }

    function push(uint256 n) external {
        numbers.push(n);
    }

    function pop() external {
        numbers.pop();
    }

    function clear() external {
        require(numbers.length <= 2);
        delete numbers;
    }

    function set(uint256[2] calldata to) external {
        pair = to;
    }

    function pushPacked(uint32 n) external {
        packed.push(n);
    }
}
