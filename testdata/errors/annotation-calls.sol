pragma solidity ^0.8.0;

/// @notice invariant f(1) == 1
/// @notice invariant this.g() == 1 && one() == 1
/// @notice invariant [x, 2][0] == x && keccak256(abi.encode(x)) != 0
contract C {
    uint x;
    function f(uint n) internal view returns (uint) { n += x; return n; }
    function g() public view returns (uint) { return x; }
    function one() internal pure returns (uint) { return 1; }
}
