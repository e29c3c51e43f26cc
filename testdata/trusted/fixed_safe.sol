// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// What nothing changes after the constructor is the same in all transactions.
contract Settings {
    uint256 public fee;
    address public owner;

    constructor(uint256 f) {
        require(f < 100);
        fee = f;
        owner = msg.sender;
    }
}

contract Shop {
    Settings private settings;
    uint256 private seen;
    Settings private other;

    constructor() {
        settings = new Settings(7);
    }

    function price() external view {
        assert(settings.fee() == 7);
        assert(settings.owner() == address(this));
    }

    function first(Settings s) external {
        require(address(other) == address(0));
        other = s;
        seen = s.fee();
    }

    function second() external view {
        require(address(other) != address(0));
        assert(other.fee() == seen);
    }
}
