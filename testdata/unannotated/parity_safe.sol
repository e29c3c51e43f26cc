// A number that stays even.
// needs: number % 2 == 0
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Even {
    uint256 number;

    function grow(uint256 pairs) external {
        require(pairs <= 100 && number <= 100000);
        number += 2 * pairs;
    }

    function halve() external {
        number = (number / 4) * 2;
    }

    function audit() external view {
        assert(number % 2 == 0);
    }
}
