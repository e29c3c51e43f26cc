// undecided: Machine.raw
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Machine {
    uint256 x;

    function raw(uint256 slot) public {
        x = 1;
        assembly {
            sstore(slot, 7)
        }
        assert(x == 1);
    }

    function plain() public {
        x = 1;
        assert(x == 1);
    }
}
