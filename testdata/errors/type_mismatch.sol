pragma solidity ^0.8.0;

contract C {
    uint8 small;

    function f(uint256 big) external {
        small = big;
        bool b = small;
        f("text");
    }
}
