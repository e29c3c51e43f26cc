pragma solidity ^0.9.0;

contract C {}
