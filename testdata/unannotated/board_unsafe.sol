// A board of four cells, each taken once.
// breaks: deploy; alice: play(0, 0); bob: play(0, 0); alice: play(1, 1); bob: play(0, 1); alice: play(1, 0); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Board {
    uint8[2][2] cells;
    uint8 taken;

    function play(uint256 row, uint256 column) external {
        require(row < 2 && column < 2);
        cells[row][column] = taken % 2 == 0 ? 1 : 2;
        taken++; // reverts
    }

    function audit() external view {
        assert(taken <= 4); // violated
    }
}
