// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Only some of it is fixed, and another contract has another fee.
contract Settings {
    uint256 public fee;
    address public owner;

    constructor(uint256 f) {
        require(f < 100);
        fee = f;
        owner = msg.sender;
    }

    function give(address to) external {
        owner = to;
    }
}

contract Shop {
    Settings private settings;

    constructor() {
        settings = new Settings(7);
    }

    function price() external view {
        assert(settings.owner() == address(this)); // violated
    }

    function renew() external {
        settings = new Settings(8);
    }

    function fee() external view {
        assert(settings.fee() == 7); // violated
    }
}
