// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Both ways are possible, and for more than one reason.
contract Door {
    bool public open;
    uint256 public visits;

    function enter(uint256 n) external returns (uint256) {
        visits = 7;
        require(open && n > 3);
        visits = n;
        return n;
    }

    function unlock() external {
        open = true;
    }
}

contract Guest {
    function visit(Door door, uint256 n) external {
        uint256 before = door.visits();
        try door.enter(n) returns (uint256 m) {
            assert(m == n && n > 4); // violated
            assert(door.visits() == n);
        } catch {
            assert(door.visits() == before && !door.open()); // violated
        }
    }
}
