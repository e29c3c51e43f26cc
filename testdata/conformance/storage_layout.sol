// Packed members share a slot; shortening and deleting leave nothing behind.
contract C {
    struct Packed {
        uint64 low;
        bool flag;
        bytes6 tag;
        address owner;
    }

    Packed first;
    uint24[] items;
    bytes text;

    function set(uint64 low, bool flag, bytes6 tag, address owner) external {
        first = Packed(low, flag, tag, owner);
    }

    function raw(uint256 slot) external view returns (bytes32 word) {
        assembly {
            word := sload(slot)
        }
    }

    function push(uint24 n) external {
        items.push(n);
    }

    function pop() external {
        items.pop();
    }

    function write(bytes calldata data) external {
        text = data;
    }

    function clear() external {
        delete first;
        delete items;
        delete text;
    }
}
// ----
// storageEmpty -> 1
// set(uint64,bool,bytes6,address): 0x1122334455667788, true, "sixsix", 0x1234 -> 
// raw(uint256): 0 -> 0x0000000000000000000000000000000000736978736978011122334455667788
// raw(uint256): 1 -> 0x1234
// push(uint24): 0xaabbcc ->
// push(uint24): 0xddeeff ->
// raw(uint256): 2 -> 2
// write(bytes): 0x20, 3, "abc" ->
// raw(uint256): 3 -> 0x6162630000000000000000000000000000000000000000000000000000000006
// write(bytes): 0x20, 33, "0123456789abcdef0123456789abcdef", "!" ->
// raw(uint256): 3 -> 67
// clear() ->
// storageEmpty -> 1
// pop() -> FAILURE, hex"4e487b71", 0x31
