pragma solidity ^0.8.0;

/// @notice invariant x ==
/// @notice Emits nothing in particular, and modifies nothing.
/// @notice emits a thing
/// @notice modifies the world
/// @notice precondition the caller is the owner
/// @notice invariant x = 1
/// @custom:hornet invariants x == 1
contract C {
    uint x;
    /**
     * @notice specification [
     *   case x == 1: x == 2
     *   case x == 2: x == 3;
     * ]
     */
    function f() public {}
}
