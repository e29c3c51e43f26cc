pragma solidity ^0.8.0;

// What functions promise: conditions, old values, what they modify and emit, cases, success and failure.

/// @notice invariant x >= 0
contract C {
    struct S { int n; bool set; }
    int x;
    int[] list;
    mapping(address => S) items;
    event Put(address who);
    event Put(address who, int n);

    /// @notice precondition n > 0 && n / 2 < -n + 7
    /// @notice postcondition x == old(x) + n && r == x && __verifier_old_uint(k) == k
    /// @notice modifies x
    /// @notice modifies list.length
    /// @notice modifies items[msg.sender].n if n > 3
    /// @notice modifies msg.sender.balance
    /// @notice emits Put
    function put(int n, uint8 k) internal returns (int r, bool) {
        x += n;
        list.push(n);
        items[msg.sender].n = n;
        emit Put(msg.sender);
        return (x, k == 0);
    }

    /// @notice specification [
    ///   case items[who].set && n > 0: items[who].n == n;
    ///   case property(list) (i) list[i] != n: list.length == old(list.length) + 1 ]
    /// @notice modifies *
    /// @notice succeeds-if n == 1
    /// @notice reverts-if n == 2 ? who == address(0) : twice(n) == 8
    function set(address who, int n) public {
        require(n != 2);
        put(n, 0);
        items[who].set = true;
    }

    function twice(int n) internal pure returns (int) { return 2 * n; }

    /// @notice {contractInvariants}
    /// @notice postcondition eq(a, b) && __verifier_eq(list, b) && !__verifier_eq(a, b) && eq(name, "x")
    function same(int[] memory a, int[] memory b, string calldata name) external {}

    /// @notice postcondition x == start
    constructor(int start) { x = start; }
}
