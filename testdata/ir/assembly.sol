// Inline assembly: words, memory, storage slots, functions, control flow.
pragma solidity ^0.8.0;

contract Assembly {
    uint256 stored;

    function f(uint256 x) external returns (uint256 r) {
        assembly {
            function double(a) -> b {
                b := add(a, a)
            }
            let p := mload(0x40)
            mstore(p, double(x))
            if gt(x, 10) { revert(p, 32) }
            sstore(stored.slot, keccak256(p, 32))
            switch x
            case 0 { r := 7 }
            default { r := mload(p) }
        }
    }
}
