pragma solidity ^0.8.0;

interface I {
    function f() external;
}

contract C is I {}
