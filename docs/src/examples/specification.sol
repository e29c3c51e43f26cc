// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Dial {
    uint8 public level;

    /// @notice specification [
    ///     case level < 10: level == old(level) + 1;
    ///     case level >= 10: level == 0;
    /// ]
    function turn() public {
        if (level < 10) level++;
        else level = 0;
    }

    /// @notice specification [ case up: level > old(level); case !up: level < old(level); ]
    function push(bool up) public {
        require(level > 0 && level < 10);
        if (up) level++;
    }
}
