// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/**
 * @custom:hornet invariant
 *     open ||
 *     guests == 0
 */
contract Door {
    bool public open;
    uint256 public guests;

    function unlock() public {
        open = true;
    }

    function enter() public {
        require(open && guests < 10);
        guests++;
    }

    function close() public {
        open = false; // with guests inside
    }
}
