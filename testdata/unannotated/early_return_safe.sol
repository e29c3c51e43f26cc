// A lock is released on every way out.
// needs: locked == inside, whoever has control
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Locker {
    bool locked;
    bool inside;
    mapping(address => uint256) stored;

    modifier free() {
        require(!locked);
        _;
    }

    function put(uint256 amount) external free {
        require(amount <= 1000 && stored[msg.sender] <= 1000);
        stored[msg.sender] += amount;
    }

    function take(uint256 amount) external free returns (bool) {
        if (amount > stored[msg.sender]) return false;
        locked = true;
        inside = true;
        stored[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call("");
        require(ok);
        inside = false;
        locked = false;
        return true;
    }

    function audit() external view {
        assert(locked == inside);
    }
}
