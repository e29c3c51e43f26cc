// The price falls with time, but not below the reserve.
// breaks: deploy(20); owner: start(); wait 50; alice: buy{0}(); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract DutchAuction {
    uint256 constant TOP = 100;
    uint256 immutable reserve;
    address immutable owner = msg.sender;
    bool started;
    bool sold;
    uint256 begin;
    uint256 paid;

    constructor(uint256 least) {
        require(least > 0 && least <= TOP);
        reserve = least;
    }

    function start() external {
        require(msg.sender == owner && !started);
        started = true;
        begin = block.timestamp;
    }

    function buy() external payable {
        require(started && !sold);
        uint256 fall = 2 * min(block.timestamp - begin, 50);
        uint256 price = TOP - fall;
        require(msg.value >= price);
        sold = true;
        paid = msg.value;
    }

    function min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }

    function audit() external view {
        require(sold);
        assert(paid >= reserve); // violated
    }
}
