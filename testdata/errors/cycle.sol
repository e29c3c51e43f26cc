pragma solidity ^0.8.0;

contract A is B {}

contract B is A {}

struct S {
    S inner;
}
