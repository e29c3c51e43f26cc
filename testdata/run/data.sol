// call: store((7, "seven", [1, 2, 3]))
// call: get(0)
// call: store((8, "a longer text that does not fit into one storage slot", []))
// call: get(1)
// call: echo(hex"00ff", [true, false], 0x1234)
// call: fixedBytes("abc")
// call: who(bob)
// evm
pragma solidity ^0.8.0;

contract Data {
    struct Record {
        uint64 id;
        string name;
        uint16[] tags;
    }

    Record[] records;

    function store(Record calldata r) external {
        records.push(r);
    }

    function get(uint256 i) external view returns (Record memory) {
        return records[i];
    }

    function echo(bytes memory b, bool[2] memory flags, bytes2 x)
        external
        pure
        returns (bytes memory, bool[2] memory, bytes2)
    {
        return (b, flags, x);
    }

    function fixedBytes(bytes8 x) external pure returns (bytes8, uint64) {
        return (x, uint64(x));
    }

    function who(address a) external view returns (address, address, bool) {
        return (a, address(this), a == msg.sender);
    }
}
