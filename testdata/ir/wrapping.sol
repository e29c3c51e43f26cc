// Before 0.8 arithmetic wraps around and has no revert; the obligation to check it is still there.
pragma solidity ^0.7.0;

contract Wrapping {
    uint8 x;

    function f(uint8 y) public returns (uint8) {
        x = x + y;
        return x / y;
    }
}
