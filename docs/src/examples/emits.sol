// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Bell {
    event Rung(address who);
    event Broken();

    /// @notice emits Rung
    function ring() public {
        emit Rung(msg.sender);
    }

    /// @notice emits Rung
    function drop() public {
        emit Broken();
    }
}
