pragma solidity ^0.8.0;

// Invariants of contracts: plain, sums, quantifiers, properties of arrays; those of bases come first.

/// @notice invariant total <= limit
abstract contract Base {
    uint private limit = 10;
    uint internal total;
}

/**
 * @notice invariant __verifier_sum_uint(balances) == total
 * @notice invariant sum(accounts[_].parts[_].amount) + sum(debts) * 2 >= 0 || address(this).balance > 1 ether
 * @notice invariant forall (address a, uint8 n) accounts[a].open ||
 *   (n + 1 > 0 && exists (uint i) i < list.length && list[i] == a)
 * @notice invariant property(list) (i, j) i >= j || list[i] != list[j]
 */
contract Bank is Base {
    struct Part { uint amount; }
    struct Account { bool open; Part[] parts; }

    mapping(address => uint) balances;
    mapping(address => mapping(uint => uint)) debts;
    mapping(address => Account) accounts;
    /// The owners.
    /// @custom:hornet invariant list.length <= 100
    address[] list;

    function add() public {}
}
