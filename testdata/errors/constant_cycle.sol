pragma solidity ^0.8.0;

uint constant first = second + 1;
uint constant second = C.third;

contract C {
    uint constant third = first * 2;
    uint constant itself = itself;
    uint constant fine = 7;
    uint constant also = fine + fine;

    function f() public pure returns (uint) { return first + also; }
}
