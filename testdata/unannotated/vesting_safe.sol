// Ten are released per period, for ten periods.
// needs: released <= 100; started implies begin <= block.timestamp
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Vesting {
    uint256 constant PERIOD = 30;
    address immutable beneficiary;
    bool started;
    uint256 begin;
    uint256 released;

    constructor(address who) {
        beneficiary = who;
    }

    function start() external {
        require(msg.sender == beneficiary && !started);
        started = true;
        begin = block.timestamp;
    }

    function release() external {
        require(msg.sender == beneficiary && started);
        uint256 periods = (block.timestamp - begin) / PERIOD;
        if (periods > 10) periods = 10;
        uint256 vested = periods * 10;
        require(vested > released);
        released = vested;
    }

    function audit() external view {
        assert(released <= 100);
    }
}
