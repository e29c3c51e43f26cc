pragma solidity ^0.8.0;

contract C {
    function f(int256 x) public pure returns (int256) {
        return x >>> 6;
    }
}
