// A lock is released on every way out.
// breaks: deploy; alice: put(5); alice: take(9); audit()
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
        locked = true;
        if (amount > stored[msg.sender]) return false;
        inside = true;
        stored[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call("");
        require(ok);
        inside = false;
        locked = false;
        return true;
    }

    function audit() external view {
        assert(locked == inside); // violated
    }
}
