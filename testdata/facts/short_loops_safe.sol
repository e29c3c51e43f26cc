// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: loops that count to a number are followed round by round
contract Rounds {
    uint256[4] cells;

    function nested() external pure {
        uint256 x;
        uint256 i;
        while (i < 3) {
            ++i;
            uint256 j;
            while (j < 3) {
                ++j;
                if (i > 1) {
                    continue;
                }
                ++x;
            }
        }
        assert(x == 3);
    }

    function powers() external pure {
        uint256 product = 1;
        for (uint8 i = 0; i <= 7; i++) {
            product *= 3;
        }
        assert(product == 6561);
    }

    function down() external pure {
        int256 i = 5;
        uint256 bits;
        do {
            bits = (bits << 1) | 1;
            i -= 2;
        } while (i >= -3);
        assert(bits == 31);
    }

    function fill(uint256 start) external {
        require(start < 1000);
        for (uint256 i = 0; i < cells.length; i++) {
            cells[i] = start + i * i;
        }
        assert(cells[3] == cells[0] + 9);
    }

    // The counter may be set back: then the loop goes on for longer than its numbers say.
    function back(uint256 n) external pure returns (uint256 rounds) {
        require(n < 5);
        for (uint256 i = 0; i < 2; i++) {
            rounds++;
            if (rounds == n) {
                i = 0;
            }
        }
        assert(rounds >= 2);
    }
}
