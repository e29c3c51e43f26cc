// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: each of them
contract Rounds {
    function last(uint256 n) external pure {
        uint256 count;
        for (uint256 i = 0; i < 10; i++) {
            count++;
            assert(count != 10); // violated
        }
        for (uint256 i = n; i < 3; i++) {
            assert(i < 2); // violated
        }
    }

    // A step that depends on something: more rounds than the numbers say.
    function slow(uint256 n) external pure {
        uint256 rounds;
        for (uint256 i = 0; i < 3; i += (rounds > n ? 1 : 0)) {
            unchecked {
                rounds++;
            }
            assert(rounds < 12); // violated
        }
    }

    function back(uint256 n) external pure {
        uint256 rounds;
        for (uint256 i = 0; i < 2; i++) {
            rounds++;
            if (rounds == n) {
                i = 0;
            }
        }
        assert(rounds <= 2); // violated
    }
}
