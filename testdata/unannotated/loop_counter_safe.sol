// Two counters move together in a loop.
// needs: points == 3 * rounds, in the loop as well; rounds <= 1000
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Game {
    uint256 rounds;
    uint256 points;

    function play(uint256 times) external {
        require(times <= 100 && rounds + times <= 1000);
        for (uint256 i = 0; i < times; i++) {
            points += 3;
            rounds++;
        }
        assert(points == 3 * rounds);
    }

    function bonus() external {
        require(rounds > 0 && rounds < 1000);
        points += 3;
        rounds++;
    }
}
