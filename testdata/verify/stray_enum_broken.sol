// fails: Stray.converted Stray.compared Stray.stored Stray.carried
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// As in the other, but these claim what is not so.
contract Stray {
    enum Phase { Sale, Over }

    Phase phase;

    function made(uint8 number) private pure returns (Phase result) {
        assembly {
            result := number
        }
    }

    /// @notice succeeds-if msg.value == 0
    function converted(uint8 number) public pure returns (uint8) {
        return uint8(made(number));
    }

    /// @notice succeeds-if msg.value == 0
    function compared(uint8 number) public pure returns (bool) {
        return made(number) == Phase.Sale;
    }

    /// @notice succeeds-if msg.value == 0
    function stored(uint8 number) public {
        phase = made(number);
    }

    /// @notice reverts-if number >= 2
    function carried(uint8 number) public pure returns (bool) {
        Phase result = made(number);
        Phase again = result;
        again = Phase.Over;
        return true;
    }
}
