// fails: Dial.turn Dial.sign
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Dial {
    int256 level;

    /// @notice specification [
    ///     case level < 10: level == __verifier_old_int(level) + 1;
    ///     case level >= 10: level == 0;
    /// ]
    function turn() public {
        if (level <= 10) level++;
        else level = 0;
    }

    /// @notice specification [ case by > 0: r > 0; case by < 0: r < 0; case by == 0: r == 0; ]
    function sign(int256 by) public pure returns (int256 r) {
        if (by >= 0) return 1;
        return -1;
    }
}
