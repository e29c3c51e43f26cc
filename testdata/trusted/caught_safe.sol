// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A call that fails changes nothing, one that succeeds does what its code says.
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
            assert(m == n && n > 3);
            assert(door.visits() == n);
        } catch {
            assert(door.visits() == before);
        }
    }
}
