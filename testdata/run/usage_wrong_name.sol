// call: nope(1)
pragma solidity ^0.8.0;

contract C {
    function f() external {}

    function g(uint256) external {}
}
