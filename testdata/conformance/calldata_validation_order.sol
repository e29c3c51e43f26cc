// The right operand is evaluated first: a malformed `amount` reverts without data before the index panics.
contract C {
    uint256[] items;

    struct Shift {
        uint256 unused;
        uint8 amount;
    }

    function shifted(Shift calldata s) external view returns (uint256) {
        return items[0] >> s.amount;
    }

    function fill() external {
        items.push(256);
    }
}
// ----
// shifted((uint256,uint8)): 0, 1 -> FAILURE, hex"4e487b71", 0x32
// shifted((uint256,uint8)): 0, 0x101 -> FAILURE
// fill() ->
// shifted((uint256,uint8)): 0, 1 -> 128
// shifted((uint256,uint8)): 0, 0x101 -> FAILURE
