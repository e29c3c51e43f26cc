// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;
pragma abicoder v1;

// Numbers that are no member of their enum: the old ABI coder lets them in, and whatever uses one panics.
contract Stray {
    enum Phase { Sale, Over }

    Phase phase;

    function converted(Phase given) public pure returns (uint8) {
        return uint8(given);
    }

    function compared(Phase given) public pure returns (bool) {
        return given == Phase.Sale;
    }

    function stored(Phase given) public {
        phase = given;
    }

    function returned(Phase given) public pure returns (Phase) {
        return given;
    }

    function carried(Phase given) public pure returns (bool) {
        Phase other = given;
        other = Phase.Over;
        return true;
    }
}
// ----
// converted(uint8): 1 -> 1
// converted(uint8): 2 -> FAILURE, hex"4e487b71", 0x21
// compared(uint8): 0 -> true
// compared(uint8): 255 -> FAILURE, hex"4e487b71", 0x21
// stored(uint8): 1 ->
// stored(uint8): 7 -> FAILURE, hex"4e487b71", 0x21
// returned(uint8): 1 -> 1
// returned(uint8): 2 -> FAILURE, hex"4e487b71", 0x21
// carried(uint8): 200 -> true
