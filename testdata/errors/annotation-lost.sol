pragma solidity ^0.8.0;

contract C {
    uint x;
    /// @notice precondition x > 0
    modifier m() { _; }
    function f() public m {
        /// @notice invariant x > 0
        if (x > 0) x--;
        undeclared();
    }
}
