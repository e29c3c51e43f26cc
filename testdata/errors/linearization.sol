pragma solidity ^0.8.0;

contract A {}

contract B is A {}

contract C is B, A {}
