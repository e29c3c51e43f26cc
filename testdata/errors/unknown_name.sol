pragma solidity ^0.8.0;

contract C {
    function f() external pure returns (uint256) {
        return amount + 1;
    }
}
