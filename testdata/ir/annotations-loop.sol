pragma solidity ^0.4.11;

// Invariants of loops. A `do` loop is tested before each further round; before 0.5 `continue` skips the test.

/// @notice invariant x >= 1
contract C {
    uint x = 1;

    function f(uint n) public returns (uint s) {
        /// @notice invariant i <= n && s == old(x) * i
        /// @notice {contractInvariants}
        for (uint i = 0; i < n; i++) {
            s += x;
        }
        /** @notice invariant s > n - 1 */
        while (s > n) s--;
        /// @notice invariant s % 2 == 0
        do {
            s += 2;
            if (s == 8) continue;
        } while (s < 10);
    }
}
