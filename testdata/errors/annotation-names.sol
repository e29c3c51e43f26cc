pragma solidity ^0.8.0;

/// @notice invariant x == missing
/// @notice invariant x + 1
/// @notice invariant old(x) == x
/// @notice invariant before(x) == x
/// @notice invariant m[_] == 0
/// @notice invariant sum(x) == 0 || sum(flags) == 0 || sum(m[__verifier_idx_uint]) == 0
/// @notice invariant __verifier_sum_int(m) == 0 && __verifier_old_word(x) == 0
/// @notice invariant eq(m, x) && eq(m) && eq(x, x)
/// @notice invariant forall (uint[] a) true
/// @notice invariant property(m) (i) true
/// @notice invariant f() == 1
/// @notice postcondition x == 0
contract C {
    uint x;
    bool[] flags;
    mapping(address => uint) m;
    /// @notice emits x
    /// @notice emits Missing
    /// @notice modifies n
    /// @notice modifies x + 1
    /// @notice modifies x if n
    /// @notice precondition r == 1
    /// @notice invariant x == 0
    function f(uint n) public returns (uint r) {
        /// @notice precondition n == 0
        for (uint i = 0; i < n; i++) {}
        /// @notice invariant i == 0
        while (true) {}
    }
    /// @notice tracks-changes-in v
    /// @notice emits E
    event E(uint v);
}
