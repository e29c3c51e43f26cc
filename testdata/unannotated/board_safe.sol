// A board of four cells, each taken once.
// needs: taken is the number of cells that are not 0
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Board {
    uint8[2][2] cells;
    uint8 taken;

    function play(uint256 row, uint256 column) external {
        require(row < 2 && column < 2);
        require(cells[row][column] == 0);
        cells[row][column] = taken % 2 == 0 ? 1 : 2;
        taken++;
    }

    function audit() external view {
        assert(taken <= 4);
    }
}
