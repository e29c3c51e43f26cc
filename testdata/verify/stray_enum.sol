// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// Assembly gives variables of an enum any number: the machine panics where one is used that is no member.
contract Stray {
    enum Phase { Sale, Over }

    Phase phase;

    function made(uint8 number) private pure returns (Phase result) {
        assembly {
            result := number
        }
    }

    /// @notice succeeds-if number < 2 && msg.value == 0
    /// @notice reverts-if number >= 2
    function converted(uint8 number) public pure returns (uint8) {
        return uint8(made(number));
    }

    /// @notice succeeds-if number < 2 && msg.value == 0
    /// @notice reverts-if number >= 2
    function compared(uint8 number) public pure returns (bool) {
        return made(number) == Phase.Sale;
    }

    /// @notice reverts-if number >= 2
    function stored(uint8 number) public {
        phase = made(number);
    }

    /// @notice reverts-if number >= 2
    function encoded(uint8 number) public pure returns (bytes memory) {
        return abi.encode(made(number));
    }

    /// @notice reverts-if number >= 2
    function returned(uint8 number) public pure returns (Phase) {
        return made(number);
    }

    /// @notice succeeds-if msg.value == 0
    function carried(uint8 number) public pure returns (bool) {
        Phase result = made(number);
        Phase again = result;
        again = Phase.Over;
        return true;
    }
}
