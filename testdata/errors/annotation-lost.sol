pragma solidity ^0.8.0;

/// @notice tracks-changes-in x
event Free(uint x);

interface I {
    /// @notice precondition n > 0
    function f(uint n) external;
}

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
